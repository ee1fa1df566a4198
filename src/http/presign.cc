#include "http/presign.h"

#include "base/bytes.h"
#include "http/amz_time.h"
#include "http/signer.h"
#include "http/uri.h"

namespace waybill::http {
namespace {

// "https://host:8000" -> "host:8000"
std::string_view host_of(std::string_view endpoint) {
  const auto scheme = endpoint.find("://");
  return scheme == std::string_view::npos ? endpoint : endpoint.substr(scheme + 3);
}

void append_parameter(std::string& query, std::string_view name, std::string_view value) {
  query.append(query.empty() ? "" : "&").append(name).append("=");
  append_uri_encoded(query, value, false);
}

}  // namespace

std::string presigned_url(const Presigning& presigning, const PresignedRequest& wanted) {
  const std::string time = format_amz_time(presigning.wall_seconds);
  const std::string date = time.substr(0, 8);
  const std::string scope = date + "/" + presigning.region + "/s3/aws4_request";
  std::string path = "/";
  append_uri_encoded(path, wanted.bucket, true);
  path.push_back('/');
  append_uri_encoded(path, wanted.key, true);
  std::string query;
  append_parameter(query, "X-Amz-Algorithm", "AWS4-HMAC-SHA256");
  append_parameter(query, "X-Amz-Credential", presigning.key_id + "/" + scope);
  append_parameter(query, "X-Amz-Date", time);
  append_parameter(query, "X-Amz-Expires", std::to_string(presigning.expires_seconds));
  append_parameter(query, "X-Amz-SignedHeaders", "host");
  Request request;
  request.method = wanted.method;
  request.path = path;
  request.query = query;
  request.headers.push_back({"host", host_of(presigning.endpoint)});
  CanonicalForm form;
  form.signed_headers = "host";
  form.payload_hash = "UNSIGNED-PAYLOAD";
  form.presigned = true;
  form.object_store = true;
  const HmacKey key = derive_signing_key(presigning.secret, {date, presigning.region, "s3"});
  append_parameter(query, "X-Amz-Signature",
                   hex_lower(bytes_of(signature_of(request, form, time, scope, key))));
  return presigning.endpoint + path + "?" + query;
}

}  // namespace waybill::http
