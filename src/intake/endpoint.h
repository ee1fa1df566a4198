#pragma once

#include <string>

#include "base/result.h"

namespace waybill::intake {

// Where the server is, and who asks.
struct Endpoint {
  std::string url;  // "http://127.0.0.1:8000", no slash at the end
  std::string region;
  std::string access_key;  // "": requests are not signed
  std::string secret_key;
};

// Of what was said on the command line ("" where nothing was) and the environment: WAYBILL_SERVER, otherwise
// AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL; WAYBILL_ACCESS_KEY_ID and WAYBILL_SECRET_ACCESS_KEY,
// otherwise those of AWS_; AWS_REGION. Error invalid where it is no URL.
Result<Endpoint> find_endpoint(const std::string& server);

}  // namespace waybill::intake
