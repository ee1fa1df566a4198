#include "api/s3/operations.h"

namespace waybill::api::s3 {

void delete_bucket(Call call) {
  if (const auto removed = call.buckets().remove_bucket(call.request().bucket); !removed) {
    call.fail(removed.error());
    return;
  }
  call.answer_empty(204);
}

}  // namespace waybill::api::s3
