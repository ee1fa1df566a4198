// The part of the check that looks at how many records a tenant may have.
#include "contract/check_parts.h"

namespace waybill::contract {

namespace {

void check_limit(const Contract& contract, const Record::Quota& quota, Findings& findings) {
  const Record* const limiting = contract.find(quota.record.text);
  if (limiting == nullptr) {
    findings.error(quota.record.place,
                   "a quota names the record \"" + quota.record.text + "\", which is not there",
                   "name the record of the tenant that says how many there may be");
    return;
  }
  if (!is_field(*limiting, quota.field)) {
    findings.error(
        quota.record.place,
        "a quota names the field \"" + quota.field + "\", which \"" + quota.record.text + "\" does not have",
        "add it to the record's fields, as a whole number");
  }
}

}  // namespace

void check_quotas(const Contract& contract, const Record& record, Findings& findings) {
  for (const auto& quota : record.quotas) {
    if (!record.tenant) {
      findings.error(quota.place, "\"" + record.name + "\" has quotas and no tenant",
                     "say with tenant: FIELD whose records are counted");
    }
    check_limit(contract, quota, findings);
    for (const auto& state : quota.states) {
      if (!record.status || record.status->find(state.text) == nullptr) {
        findings.error(state.place, "a quota names the state \"" + state.text + "\", which is not there",
                       "name states of this record");
      }
    }
  }
}

}  // namespace waybill::contract
