#include "intake/endpoint.h"

#include <cstdlib>
#include <initializer_list>

namespace waybill::intake {
namespace {

// The first that is set and not empty.
std::string first_of(std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      return value;
    }
  }
  return {};
}

std::string or_else(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

}  // namespace

Result<Endpoint> find_endpoint(const std::string& server) {
  Endpoint endpoint;
  endpoint.url =
      or_else(or_else(server, first_of({"WAYBILL_SERVER", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL"})),
              "http://127.0.0.1:8000");
  while (endpoint.url.ends_with('/')) {
    endpoint.url.pop_back();
  }
  if (!endpoint.url.starts_with("http://") && !endpoint.url.starts_with("https://")) {
    return invalid("a server is written as http://HOST:PORT; got " + endpoint.url);
  }
  endpoint.region = or_else(first_of({"AWS_REGION", "AWS_DEFAULT_REGION"}), "us-east-1");
  const bool has_own = !first_of({"WAYBILL_ACCESS_KEY_ID"}).empty();
  endpoint.access_key = first_of({has_own ? "WAYBILL_ACCESS_KEY_ID" : "AWS_ACCESS_KEY_ID"});
  endpoint.secret_key = first_of({has_own ? "WAYBILL_SECRET_ACCESS_KEY" : "AWS_SECRET_ACCESS_KEY"});
  if (endpoint.access_key.empty() != endpoint.secret_key.empty()) {
    return invalid("of the access key and its secret only one is set in the environment");
  }
  return endpoint;
}

}  // namespace waybill::intake
