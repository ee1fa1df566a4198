#include "api/s3/operations.h"
#include "base/iso_time.h"

namespace waybill::api::s3 {

// Those that the caller's policy names.
void list_buckets(Call call) {
  const auto buckets = call.buckets().list_buckets();
  if (!buckets) {
    call.fail(buckets.error());
    return;
  }
  const auto& prefix = call.request().parameter("prefix");
  Xml xml;
  xml.open_root("ListAllMyBucketsResult");
  xml.open("Owner");
  xml.element("ID", call.services().account_id);
  xml.close("Owner");
  xml.open("Buckets");
  for (const auto& bucket : *buckets) {
    const bool is_known = call.policy() == nullptr || call.policy()->knows_bucket(bucket.name);
    if (is_known && bucket.name.starts_with(prefix)) {
      xml.open("Bucket");
      xml.element("Name", bucket.name);
      xml.element("CreationDate", iso_time(bucket.created_ms));
      xml.element("BucketRegion", call.services().region);
      xml.close("Bucket");
    }
  }
  xml.close("Buckets");
  xml.close("ListAllMyBucketsResult");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
