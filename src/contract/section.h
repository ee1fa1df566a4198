#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/formula.h"
#include "contract/model.h"
#include "contract/problem.h"
#include "contract/yaml.h"

namespace waybill::contract {

// One map of a contract's file, read key by key. What is wrong is noted and passed over, so that one reading
// finds all there is to mend. Keys that nobody has asked for are told of at the end.
class Section {
 public:
  // `what`: the map in words, "the record \"job\"".
  Section(const Yaml& yaml, std::string what, Problems& problems);
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  Place place() const { return yaml_.place; }
  const std::string& what() const { return what_; }
  Problems& problems() { return problems_; }

  bool has(std::string_view key) { return peek(key) != nullptr; }
  // Null where there is none.
  const Yaml* take(std::string_view key);
  // Notes its absence.
  const Yaml* need(std::string_view key, std::string_view remedy);

  // Each is nothing where it is absent or wrong; what is wrong is noted.
  std::optional<Name> name(std::string_view key);
  std::optional<Name> needed_name(std::string_view key, std::string_view remedy);
  Names names(std::string_view key);  // one or a list
  std::optional<int64_t> integer(std::string_view key, int64_t minimum, int64_t maximum);
  std::optional<bool> boolean(std::string_view key);
  std::optional<int64_t> duration_s(std::string_view key);
  std::optional<TextTemplate> text_template(std::string_view key);
  std::optional<Formula> formula(std::string_view key);
  // One of these words.
  std::optional<std::string> choice(std::string_view key, std::initializer_list<std::string_view> words);

  void error(Place place, std::string what, std::string remedy);

 private:
  const Yaml* peek(std::string_view key) const { return yaml_.find(key); }

  const Yaml& yaml_;
  const std::string what_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

// The entries of a map whose keys are names of one's own; where it is no map, that is noted and there are
// none.
const std::vector<Yaml::Entry>& read_entries(const Yaml& yaml, const std::string& what, Problems& problems);

std::optional<Name> read_name(const Yaml& yaml, const std::string& what, Problems& problems);
Names read_names(const Yaml& yaml, const std::string& what, Problems& problems);
std::optional<Formula> read_formula(const Yaml& yaml, const std::string& what, Problems& problems);

// The one of them that was probably meant; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

}  // namespace waybill::contract
