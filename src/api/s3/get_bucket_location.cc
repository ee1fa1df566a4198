#include "api/s3/operations.h"

namespace waybill::api::s3 {

// Of us-east-1 the service says nothing.
void get_bucket_location(Call call) {
  if (const auto bucket = call.buckets().need_bucket(call.request().bucket); !bucket) {
    call.fail(bucket.error());
    return;
  }
  Xml xml;
  xml.open_root("LocationConstraint");
  xml.text(call.services().region == "us-east-1" ? "" : call.services().region);
  xml.close("LocationConstraint");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
