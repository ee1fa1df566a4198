#include "api/s3/operations.h"

namespace waybill::api::s3 {

// There is none, which clients ask about.
void get_bucket_versioning(Call call) {
  if (const auto bucket = call.buckets().need_bucket(call.request().bucket); !bucket) {
    call.fail(bucket.error());
    return;
  }
  Xml xml;
  xml.open_root("VersioningConfiguration");
  xml.close("VersioningConfiguration");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
