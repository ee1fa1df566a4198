#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/calling.h"
#include "client/connection.h"
#include "client/job.h"
#include "client/served.h"
#include "http/client.h"

namespace waybill::client {

struct ClaimOptions {
  std::string worker;    // for histories
  int64_t wait_s = 20;   // for a first one, 20 at most
  int64_t lease_s = 30;  // nobody else gets it for so long
};

// Why an attempt has failed, as the record is to tell it.
struct Failure {
  std::string code;     // "PROVIDER_TIMEOUT"
  std::string message;  // what is wrong, and what to do
  bool retry = true;    // false: it would fail again, whoever tried
};

// The jobs API of a server, as workers need it. `fields`, `spend` and records to create are JSON objects; ""
// stands for none.
//
// Errors: unavailable where trouble may pass (no answer, stopped, the server's own); lease_lost and
// condition_failed where the job is not this worker's any more, or not wanted; not_found, invalid,
// access_denied and so on, with the server's words.
//
// Thread safety: one thread at a time; stop tokens from any.
class JobsClient {
 public:
  // `answer_ms` bounds every call, the longest wait of a claim (20 s) included.
  static constexpr int64_t answer_ms_default = 35'000;
  static Result<JobsClient> open(Connection connection, int64_t answer_ms = answer_ms_default);

  // What the server's contracts have built-in workers for.
  Result<std::vector<Served>> list_served(const Calling& calling = {});

  // Nothing where there was no work in time. Not tried again: the answer that was lost may have had a job,
  // which others get when its lease is over.
  Result<std::optional<Job>> claim(const Served& served, const ClaimOptions& options,
                                   const std::stop_token& stop);

  Status heartbeat(const Job& job, int64_t lease_s, const Calling& calling = {});
  Status progress(const Job& job, std::string_view fields, const Calling& calling = {});
  // `step` is a JSON value: a number, or a name with its quotes.
  Status step(const Job& job, std::string_view step, std::string_view fields, std::string_view spend,
              const Calling& calling = {});
  Status pause(const Job& job, std::string_view step, std::string_view fields, const Calling& calling = {});
  Status finish(const Job& job, std::string_view fields, const Calling& calling = {});
  // Gives it back, for somebody else to have it after a while; with what stood in the way, where that is
  // given.
  Status release(const Job& job, int64_t wait_s, const Failure* trouble, const Calling& calling = {});
  // Whether the server gave it up for good.
  Result<bool> fail(const Job& job, const Failure& failure, const Calling& calling = {});

  // The body of a record, and of one that is made. A key that was used before gives the record of then.
  Result<std::string> get(const std::string& path, const Calling& calling = {});
  Result<std::string> create(const std::string& path, std::string_view fields,
                             const std::string& idempotency_key, const Calling& calling = {});

 private:
  JobsClient(Connection connection, std::unique_ptr<http::Client> client)
      : connection_(std::move(connection)), client_(std::move(client)) {}

  Result<std::string> send(http::ClientRequest request, const Calling& calling);
  Result<std::string> post(const std::string& path, std::string body, const Calling& calling);
  http::ClientRequest request(const std::string& method, const std::string& path) const;

  Connection connection_;
  std::unique_ptr<http::Client> client_;
};

// The error that an answer other than 2xx tells, from its problem+json.
Error read_problem(int status, std::string_view body);

}  // namespace waybill::client
