#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"
#include "intake/endpoint.h"

namespace waybill::intake {

// Speaks to a Waybill server as its clients do. Each call is tried once.
//
// Errors: unavailable where trying again may help (no answer, throttling, the server's own trouble); invalid
// where the request was refused, with the name of the service's error as detail; access_denied where the keys
// are not enough; not_found where there is no such table or contract.
//
// Thread safety: none.
class ServerClient {
 public:
  // The clock outlives it.
  static Result<std::unique_ptr<ServerClient>> open(Endpoint endpoint, const Clock& clock);

  // The body of the answer. Writes are imports: see docs/CONTRACTS.md.
  Result<std::string> call(std::string_view operation, const std::string& body);

  // A document of the jobs API; `path` begins with a slash.
  Result<std::string> get(const std::string& path);

 private:
  ServerClient(Endpoint endpoint, const Clock& clock, std::unique_ptr<http::Client> client);
  void sign(http::ClientRequest& request, std::string_view service, const std::string& path) const;
  Result<std::string> send(const http::ClientRequest& request);

  Endpoint endpoint_;
  const Clock& clock_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace waybill::intake
