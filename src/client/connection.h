#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "http/sign_request.h"

namespace waybill::client {

// Where a server is, and who asks.
struct Connection {
  std::string endpoint;  // "http://127.0.0.1:8000", no slash at the end
  http::SigningKey key;
  std::string region = "us-east-1";
  std::string actor = {};        // for histories; "": nobody is named
  const Clock* clock = nullptr;  // outlives the clients
};

// The key of the environment: WAYBILL_ACCESS_KEY_ID and WAYBILL_SECRET_ACCESS_KEY; else AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; else the profile AWS_PROFILE (default) of
// AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials). Where there is none, one that a server without keys
// takes. Requests are signed with it: the secret itself is never sent.
http::SigningKey find_key();

// The same for objects that are elsewhere: those of AWS go before Waybill's own.
http::SigningKey find_objects_key();

// AWS_REGION, else AWS_DEFAULT_REGION, else us-east-1.
std::string find_region();

// Without slashes at its end. Error invalid where it does not begin with http:// or https://; `what` is its
// name in the message.
Result<std::string> read_endpoint(const std::string& what, std::string url);

}  // namespace waybill::client
