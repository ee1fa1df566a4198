#include "job/get.h"

#include <utility>

#include "job/change.h"

namespace waybill::job {

Result<item::Item> get(const Services& services, const Subject& subject, std::string_view id) {
  WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_id(*subject.contract, *subject.kind, id));
  WAYBILL_TRY_ASSIGN(auto record, find_record(services, subject, key.view()));
  if (!record) {
    return no_record(subject, id);
  }
  return *std::move(record);
}

}  // namespace waybill::job
