#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "bucket/errors.h"
#include "object/multipart.h"

namespace waybill::api::s3 {
namespace {

Result<std::optional<bucket::AskedChecksum>> read_asked(const Request& request) {
  const auto& name = request.header("x-amz-checksum-algorithm");
  const auto& type_name = request.header("x-amz-checksum-type");
  const auto algorithm = object::algorithm_named(name);
  const auto type = object::type_named(type_name);
  if ((!name.empty() && !algorithm) || (!type_name.empty() && !type)) {
    return bucket::refusal("InvalidRequest",
                           "Checksum algorithm provided is unsupported. Please try again with any "
                           "of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]");
  }
  if (!algorithm) {
    return std::optional<bucket::AskedChecksum>();
  }
  const bucket::AskedChecksum asked{*algorithm, type.value_or(object::default_type(*algorithm))};
  if (!object::is_allowed(asked.algorithm, asked.type)) {
    return bucket::refusal("InvalidRequest", "The " + std::string(object::name_of(asked.type)) +
                                                 " checksum type cannot be used with the " + name +
                                                 " checksum algorithm.");
  }
  return std::optional(asked);
}

Result<bucket::UploadRow> create(const Call& call) {
  const Request& request = call.request();
  WAYBILL_TRY_ASSIGN(auto description, read_description(request));
  WAYBILL_TRY_ASSIGN(const auto asked, read_asked(request));
  return call.buckets().create_upload({request.bucket, request.key, std::move(description), {}}, asked);
}

}  // namespace

void create_multipart_upload(Call call) {
  const auto upload = create(call);
  if (!upload) {
    call.fail(upload.error());
    return;
  }
  Xml xml;
  xml.open_root("InitiateMultipartUploadResult");
  xml.element("Bucket", upload->bucket);
  xml.element("Key", upload->key);
  xml.element("UploadId", upload->id);
  xml.close("InitiateMultipartUploadResult");
  auto response = xml_response(std::move(xml));
  if (upload->checksum) {
    response.headers.emplace_back("x-amz-checksum-algorithm", object::name_of(upload->checksum->algorithm));
    response.headers.emplace_back("x-amz-checksum-type", object::name_of(upload->checksum->type));
  }
  call.answer(std::move(response));
}

}  // namespace waybill::api::s3
