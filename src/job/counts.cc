#include "job/counts.h"

#include "rules/system_tables.h"

namespace waybill::job {

Result<std::vector<std::pair<std::string, int64_t>>> counts(const Services& services, const Subject& subject,
                                                            const std::optional<std::string>& tenant) {
  const auto& record = subject.record();
  if (!record.status) {
    return Error{ErrorKind::unsupported, "A " + record.name + " has no states by its contract", {}};
  }
  if (tenant && !record.tenant) {
    return Error{ErrorKind::unsupported, "A " + record.name + " has no tenant by its contract", {}};
  }
  const std::string& contract = subject.contract->contract.name;
  std::vector<std::pair<std::string, int64_t>> counted;
  for (const auto& state : record.status->states) {
    const auto& name = state.name.text;
    const auto counter = tenant ? rules::count_of_state(contract, record.name, name, *tenant)
                                : rules::count_of_state(contract, record.name, name);
    WAYBILL_TRY_ASSIGN(const auto count, services.store.counter(counter));
    counted.emplace_back(name, count);
  }
  return counted;
}

}  // namespace waybill::job
