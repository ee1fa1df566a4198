#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/client.h"

namespace waybill::cli::job {

// Where the server is, and who asks.
struct Connection {
  std::string server;         // "http://127.0.0.1:8000", no slash at the end
  std::string authorization;  // "": none
  std::string actor;          // "": none is named
};

// Of what was said on the command line ("" where nothing was) and the environment: WAYBILL_SERVER;
// WAYBILL_ACCESS_KEY_ID and WAYBILL_SECRET_ACCESS_KEY, otherwise AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY; WAYBILL_ACTOR, otherwise USER. Keys of AWS_ are not for a wire that anybody reads:
// with them a plain http:// server that is not on this machine is an Error.
Result<Connection> find_connection(const std::string& server, const std::string& actor);

using Parameters = std::vector<std::pair<std::string, std::string>>;

// "?a=b&c=d", encoded; "" where there are none.
std::string query_of(const Parameters& parameters);

// The jobs API of a running server. Errors are one line for people: the problem's detail where the server
// refused.
class Api {
 public:
  static Result<Api> open(Connection connection, const http::Client::Limits& limits = {});

  // `path` begins with "/v1/". The answer of a 2xx.
  Result<http::ClientAnswer> get(const std::string& path);
  Result<http::ClientAnswer> post(const std::string& path, const std::string& body,
                                  std::vector<std::string> headers = {});

  // The live feed under `path`, from behind the event `last_id` on ("": from now on), until `on_bytes`
  // returns false. Error unavailable where it may be tried again.
  Status follow(const std::string& path, const std::string& last_id, const http::Client::OnBytes& on_bytes);

 private:
  Api(Connection connection, std::unique_ptr<http::Client> client);
  http::ClientRequest request(const std::string& method, const std::string& path) const;
  Result<http::ClientAnswer> judge(Result<http::ClientAnswer> answer) const;

  Connection connection_;
  std::unique_ptr<http::Client> client_;
};

// What a refusal says, in one line. `body` should be problem+json.
std::string problem_words(int status, std::string_view body);

}  // namespace waybill::cli::job
