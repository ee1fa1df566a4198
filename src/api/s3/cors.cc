#include "api/s3/cors.h"

namespace waybill::api::s3 {
namespace {

constexpr std::string_view exposed =
    "ETag, Content-Range, Accept-Ranges, Last-Modified, x-amz-request-id, x-amz-checksum-crc32, "
    "x-amz-checksum-crc32c, x-amz-checksum-crc64nvme, x-amz-checksum-sha1, x-amz-checksum-sha256";

// "http://localhost:3000" -> "localhost"
std::string_view host_of(std::string_view origin) {
  const auto scheme = origin.find("://");
  origin.remove_prefix(scheme == std::string_view::npos ? 0 : scheme + 3);
  if (origin.starts_with('[')) {
    return origin.substr(0, origin.find(']') + 1);
  }
  return origin.substr(0, origin.find(':'));
}

bool is_this_machine(std::string_view origin) {
  const auto host = host_of(origin);
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host.ends_with(".localhost");
}

bool is_welcome(std::string_view origin, bool accepts_any) {
  return !accepts_any || is_this_machine(origin);
}

}  // namespace

bool may_come_from(const Request& request, bool accepts_any) {
  const auto& origin = request.header("origin");
  return origin.empty() || is_welcome(origin, accepts_any);
}

void add_cors_headers(const Request& request, bool accepts_any, http::Response& response) {
  const auto& origin = request.header("origin");
  if (origin.empty() || !is_welcome(origin, accepts_any)) {
    return;
  }
  response.headers.emplace_back("Access-Control-Allow-Origin", origin);
  response.headers.emplace_back("Access-Control-Expose-Headers", exposed);
  response.headers.emplace_back("Vary", "Origin");
}

http::Response preflight_answer(const Request& request, bool accepts_any) {
  http::Response response;
  if (request.header("origin").empty() || !may_come_from(request, accepts_any)) {
    response.status = 403;
    return response;
  }
  add_cors_headers(request, accepts_any, response);
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, PUT, POST, DELETE");
  if (const auto& wanted = request.header("access-control-request-headers"); !wanted.empty()) {
    response.headers.emplace_back("Access-Control-Allow-Headers", wanted);
  }
  response.headers.emplace_back("Access-Control-Max-Age", "3000");
  return response;
}

}  // namespace waybill::api::s3
