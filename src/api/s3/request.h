#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace waybill::api::s3 {

// A path that begins so is for this service whatever else the request says; it is no part of the names.
inline constexpr std::string_view path_prefix = "/objects";

// A request to the service, with its names decoded. It owns all it has: bodies may outlive the connection.
struct Request {
  std::string method;
  std::string path;    // as sent
  std::string bucket;  // "": the service itself
  std::string key;     // "": the bucket itself
  std::map<std::string, std::string, std::less<>> query;
  std::map<std::string, std::string, std::less<>> headers;  // by names in lower case; the first of each
  std::string body;

  // "" where there is none.
  const std::string& header(std::string_view lower_case_name) const;
  const std::string& parameter(std::string_view name) const;
  bool has_header(std::string_view lower_case_name) const { return headers.contains(lower_case_name); }
  bool has_parameter(std::string_view name) const { return query.contains(name); }

  // Error invalid where the parameter is no number of that range; `otherwise` where there is none.
  Result<int64_t> number(std::string_view name, int64_t minimum, int64_t maximum, int64_t otherwise) const;
};

// Names in the path, or the bucket in the host: "BUCKET.localhost", "BUCKET.s3.…".
Request read_request(const http::Request& request);

// Error invalid where the bucket or the key cannot be one.
Status check_names(const Request& request);

}  // namespace waybill::api::s3
