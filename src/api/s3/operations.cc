#include "api/s3/operations.h"

#include <algorithm>

namespace waybill::api::s3 {
namespace {

using access::Verb;

// What a request is about and how, as far as that chooses the operation.
struct Shape {
  std::string_view method;
  enum class Level : unsigned char { service, bucket, object } level;
  std::string_view parameter;  // that must be there; "": none of those that choose
  bool copies = false;         // x-amz-copy-source
};

struct Entry {
  Shape shape;
  NamedOperation operation;
};

using enum Shape::Level;

constexpr Entry entries[] = {
    {{"GET", service, ""}, {"ListBuckets", list_buckets, nullptr, Verb::read, Subject::service}},
    {{"PUT", bucket, ""}, {"CreateBucket", create_bucket, nullptr, Verb::admin, Subject::bucket}},
    {{"HEAD", bucket, ""}, {"HeadBucket", head_bucket, nullptr, Verb::read, Subject::bucket}},
    {{"DELETE", bucket, ""}, {"DeleteBucket", delete_bucket, nullptr, Verb::admin, Subject::bucket}},
    {{"GET", bucket, "location"},
     {"GetBucketLocation", get_bucket_location, nullptr, Verb::read, Subject::bucket}},
    {{"GET", bucket, "versioning"},
     {"GetBucketVersioning", get_bucket_versioning, nullptr, Verb::read, Subject::bucket}},
    {{"GET", bucket, "uploads"},
     {"ListMultipartUploads", list_multipart_uploads, nullptr, Verb::read, Subject::listing}},
    {{"GET", bucket, "list-type"}, {"ListObjectsV2", list_objects_v2, nullptr, Verb::read, Subject::listing}},
    {{"GET", bucket, ""}, {"ListObjects", list_objects, nullptr, Verb::read, Subject::listing}},
    {{"POST", bucket, "delete"}, {"DeleteObjects", delete_objects, nullptr, Verb::write, Subject::bucket}},
    {{"GET", object, "uploadId"}, {"ListParts", list_parts, nullptr, Verb::write}},
    {{"GET", object, ""}, {"GetObject", get_object, nullptr, Verb::read}},
    {{"HEAD", object, ""}, {"HeadObject", get_object, nullptr, Verb::read}},
    {{"PUT", object, "uploadId", true},
     {"UploadPartCopy", upload_part_copy, nullptr, Verb::write, Subject::object, true}},
    {{"PUT", object, "uploadId"}, {"UploadPart", nullptr, open_upload_part, Verb::write}},
    {{"PUT", object, "", true}, {"CopyObject", copy_object, nullptr, Verb::write, Subject::object, true}},
    {{"PUT", object, ""}, {"PutObject", nullptr, open_put_object, Verb::write}},
    {{"DELETE", object, "uploadId"}, {"AbortMultipartUpload", abort_multipart_upload, nullptr, Verb::write}},
    {{"DELETE", object, ""}, {"DeleteObject", delete_object, nullptr, Verb::write}},
    {{"POST", object, "uploads"}, {"CreateMultipartUpload", create_multipart_upload, nullptr, Verb::write}},
    {{"POST", object, "uploadId"},
     {"CompleteMultipartUpload", complete_multipart_upload, nullptr, Verb::write, Subject::object, true}},
};

// Parameters that ask for another operation than the path alone does. Those that no entry has are of
// operations that are not here: without this list they would be taken for reads of the object itself.
constexpr std::string_view choosing[] = {"accelerate",
                                         "acl",
                                         "analytics",
                                         "attributes",
                                         "cors",
                                         "delete",
                                         "encryption",
                                         "inventory",
                                         "legal-hold",
                                         "lifecycle",
                                         "list-type",
                                         "location",
                                         "logging",
                                         "metrics",
                                         "notification",
                                         "object-lock",
                                         "ownershipControls",
                                         "policy",
                                         "policyStatus",
                                         "publicAccessBlock",
                                         "replication",
                                         "requestPayment",
                                         "restore",
                                         "retention",
                                         "select",
                                         "tagging",
                                         "torrent",
                                         "uploadId",
                                         "uploads",
                                         "versioning",
                                         "versions",
                                         "website"};

std::string_view chosen_by(const Request& request) {
  const auto* const found =
      std::ranges::find_if(choosing, [&](std::string_view name) { return request.has_parameter(name); });
  return found == std::end(choosing) ? std::string_view() : *found;
}

}  // namespace

const NamedOperation* find_operation(const Request& request) {
  const auto level = request.bucket.empty() ? service : request.key.empty() ? bucket : object;
  const auto parameter = chosen_by(request);
  const bool copies = request.has_header("x-amz-copy-source");
  const auto* const found = std::ranges::find_if(entries, [&](const Entry& entry) {
    return entry.shape.method == request.method && entry.shape.level == level &&
           entry.shape.parameter == parameter && (copies || !entry.shape.copies);
  });
  return found == std::end(entries) ? nullptr : &found->operation;
}

}  // namespace waybill::api::s3
