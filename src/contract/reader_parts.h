#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/model.h"
#include "contract/problem.h"
#include "contract/section.h"
#include "contract/yaml.h"

// The parts of a contract's file, each in a file of its own. For reader.cc.
namespace waybill::contract {

std::vector<Field> read_fields(const Yaml& yaml, const std::string& what, Problems& problems);
std::optional<StatusMachine> read_status(const Yaml& yaml, const std::string& what, Problems& problems);
std::optional<Work> read_work(const Yaml& yaml, const std::string& what, Problems& problems);
std::optional<Record> read_record(const Yaml::Entry& entry, Problems& problems);
Contract::Table read_table(const Yaml& yaml, Problems& problems);
std::vector<Bucket> read_buckets(const Yaml& yaml, Problems& problems);
std::vector<Publication> read_publish(const Yaml& yaml, Problems& problems);

// Names and what each is made of, in the order of the file.
std::vector<std::pair<std::string, Formula>> read_formulas(const Yaml& yaml, const std::string& what,
                                                           Problems& problems);
std::map<std::string, TextTemplate> read_key(const Yaml& yaml, const std::string& what, Problems& problems);
AfterLife read_after_life(Section& section);

}  // namespace waybill::contract
