#include "api/s3/copy_source.h"

#include "api/s3/object_headers.h"
#include "bucket/errors.h"
#include "http/uri.h"
#include "object/conditions.h"
#include "object/names.h"

namespace waybill::api::s3 {
namespace {

struct Source {
  std::string bucket;
  std::string key;
};

Error unreadable() {
  return bucket::refusal("InvalidArgument",
                         "Copy Source must mention the source bucket and key: sourcebucket/sourcekey");
}

// "/bucket/key" or "bucket/key", URL-encoded.
Result<Source> read_source(std::string text) {
  if (text.find("?versionId=") != std::string::npos && !text.ends_with("?versionId=null")) {
    return bucket::refusal("NotImplemented", "Versions of objects are not implemented.");
  }
  text = http::uri_decoded(text.substr(0, text.find("?versionId=")));
  text.erase(0, text.starts_with('/') ? 1 : 0);
  const auto slash = text.find('/');
  if (slash == std::string::npos) {
    return unreadable();
  }
  Source source{text.substr(0, slash), text.substr(slash + 1)};
  if (!object::check_bucket_name(source.bucket) || !object::check_key(source.key)) {
    return unreadable();
  }
  return source;
}

}  // namespace

Result<bucket::ObjectRow> find_copy_source(const Call& call) {
  const Request& request = call.request();
  WAYBILL_TRY_ASSIGN(const auto source, read_source(request.header("x-amz-copy-source")));
  WAYBILL_TRY(call.check_object(access::Verb::read, source.bucket, source.key));
  WAYBILL_TRY(call.buckets().need_bucket(source.bucket));
  WAYBILL_TRY_ASSIGN(auto found, call.buckets().find_object(source.bucket, source.key));
  if (!found) {
    return bucket::no_such_key();
  }
  const auto conditions = read_conditions(request, "x-amz-copy-source-");
  if (object::decide_copy_source(conditions, {found->etag, found->modified_ms}) !=
      object::ReadVerdict::proceed) {
    return bucket::precondition_failed("x-amz-copy-source-If-Match");
  }
  return *std::move(found);
}

}  // namespace waybill::api::s3
