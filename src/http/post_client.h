#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::http {

// What another server answered.
struct PostAnswer {
  int status = 0;
  std::string body;  // its first 64 KB
};

// Posts to one URL of another server, over a connection that is kept. Redirects are not followed: they could
// lead to anybody. An attempt ends after ten seconds.
//
// Thread safety: post() is for one thread at a time; interrupt() may be called from any.
class PostClient {
 public:
  // Error invalid where the URL does not begin with http:// or https://, or has no host.
  static Result<std::unique_ptr<PostClient>> open(const std::string& url);
  ~PostClient();
  PostClient(const PostClient&) = delete;
  PostClient& operator=(const PostClient&) = delete;

  // As requests have them: the host with its port where that is not the scheme's own, the path, and the query
  // without '?'.
  const std::string& host() const;
  const std::string& path() const;
  const std::string& query() const;

  // `headers` are whole lines, "Content-Type: application/json". Error unavailable where no answer came.
  Result<PostAnswer> post(const std::vector<std::string>& headers, std::string_view body);

  // Ends a post() that is under way, and all later ones, without an answer.
  void interrupt();

 private:
  struct State;
  explicit PostClient(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Whether a status other than 2xx may be another one later: 408, 425, 429, and the server's own troubles.
bool may_pass(int status);

}  // namespace waybill::http
