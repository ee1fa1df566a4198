#include "server/metrics_access.h"

#include <string_view>

#include "base/private_file.h"

namespace waybill::server {
namespace {

constexpr std::size_t token_file_bytes_max = 4096;
constexpr std::string_view white_space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(white_space);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

// Takes as long wherever the first difference is.
bool is_same_secret(std::string_view given, std::string_view expected) {
  if (given.size() != expected.size()) {
    return false;
  }
  unsigned difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(expected[i]));
  }
  return difference == 0;
}

}  // namespace

Result<MetricsAccess> MetricsAccess::from(const Config& config) {
  MetricsAccess access;
  access.open_ = config.keys_file.empty() || config.metrics_open;
  if (!config.metrics_token_file.empty()) {
    const std::string name = "metrics token file " + config.metrics_token_file;
    WAYBILL_TRY_ASSIGN(const auto text,
                       read_private_file(config.metrics_token_file, name, token_file_bytes_max));
    access.token_ = trimmed(text);
    if (access.token_.empty() || access.token_.find_first_of(white_space) != std::string::npos) {
      return invalid("the " + name + " must hold one word");
    }
  }
  return access;
}

bool MetricsAccess::allows(const http::Request& request) const {
  if (token_.empty()) {
    return open_;
  }
  constexpr std::string_view scheme = "bearer ";
  const auto given = request.header("authorization");
  return given.size() > scheme.size() && http::equals_ignoring_case(given.substr(0, scheme.size()), scheme) &&
         is_same_secret(trimmed(given.substr(scheme.size())), token_);
}

http::Response MetricsAccess::refusal() const {
  http::Response response;
  response.content_type = "text/plain; charset=utf-8";
  if (token_.empty()) {
    response.status = 403;
    response.body = "Metrics are closed. Start the server with --metrics-token-file or --metrics-open.\n";
  } else {
    response.status = 401;
    response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"metrics\"");
    response.body = "Metrics are for those who have the token.\n";
  }
  return response;
}

}  // namespace waybill::server
