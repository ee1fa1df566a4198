#include "api/s3/object_headers.h"
#include "api/s3/operations.h"

namespace waybill::api::s3 {

// One that is not there is deleted as well.
void delete_object(Call call) {
  const Request& request = call.request();
  const auto removed = call.buckets().remove_object(request.bucket, request.key, read_conditions(request));
  if (!removed) {
    call.fail(removed.error());
    return;
  }
  call.answer_empty(204);
}

}  // namespace waybill::api::s3
