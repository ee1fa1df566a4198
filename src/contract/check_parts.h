#pragma once

#include <string>
#include <vector>

#include "contract/model.h"
#include "contract/problem.h"

// The parts of the check, each in a file of its own. For check.cc.
namespace waybill::contract {

// What the check has found so far.
class Findings {
 public:
  void error(Place place, std::string what, std::string remedy) {
    problems_.push_back({Problem::Weight::error, place, std::move(what), std::move(remedy)});
  }
  void warning(Place place, std::string what, std::string remedy) {
    problems_.push_back({Problem::Weight::warning, place, std::move(what), std::move(remedy)});
  }
  Problems take() { return std::move(problems_); }

 private:
  Problems problems_;
};

// Names that texts and formulas of a record may use: its fields, the status, the id, the parameters.
std::vector<std::string> usable_names(const Contract& contract, const Record& record);

// The field of a name, "error.code" among them; null where there is none.
const Field* find_field(const Record& record, const std::string& path);

// What stands for the status field and the id in the list of fields, where the file leaves them out.
bool is_field(const Record& record, const std::string& path);

void check_names(const Contract& contract, const Record& record, Findings& findings);
void check_fields(const Contract& contract, const Record& record, Findings& findings);
void check_status(const Record& record, Findings& findings);
void check_work(const Record& record, Findings& findings);
void check_message(const Contract& contract, const Record& record, Findings& findings);
void check_quotas(const Contract& contract, const Record& record, Findings& findings);
void check_table(const Contract& contract, Findings& findings);
void check_keys(const Contract& contract, Findings& findings);
void check_buckets(const Contract& contract, Findings& findings);
void check_publish(const Contract& contract, Findings& findings);

}  // namespace waybill::contract
