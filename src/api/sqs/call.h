#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "access/policy.h"
#include "api/sqs/answer.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/json.h"
#include "base/result.h"
#include "base/unique_function.h"
#include "http/responder.h"
#include "http/signature.h"
#include "redrive/move_tasks.h"
#include "rules/contracts.h"
#include "store/queues.h"
#include "store/restricted_queues.h"

namespace waybill::api::sqs {

// What every operation may use. Outlives all calls.
struct Services {
  // Past all policies: operations use Call::queues(). Null: this server keeps none, and none is reached.
  store::Queues* unguarded_queues = nullptr;
  const Clock& clock;
  Entropy& entropy;
  std::string region = "us-east-1";
  std::string account_id = "000000000000";
  std::string endpoint = "127.0.0.1:8000";   // where clients reach this server, if they don't say
  redrive::MoveTasks* move_tasks = nullptr;  // null: messages cannot be moved
  // Which contract in force works with a queue. Empty: none does.
  std::function<std::optional<rules::QueueUse>(std::string_view queue)> use_of = {};

  // arn:aws:sqs:<region>:<account>:<name>
  std::string queue_arn(std::string_view name) const;
};

// What a request says besides its parameters. The views live until the request is answered.
struct Client {
  Protocol protocol = Protocol::json;
  std::string_view operation;  // "SendMessage"
  std::string_view host;       // by which the client knows this server
  std::string_view path;
  std::string_view peek_after;  // x-waybill-peek-after
};

// One verified request on its way through an operation, and the duty to answer it once.
//
// Thread safety: one thread at a time. A call may move to a thread of the store and come back.
class Call {
 public:
  // The services keep queues.
  Call(const Services& services, http::VerifiedPrincipal principal, http::Responder responder,
       const Client& client);

  const Services& services() const { return *services_; }
  // As whoever has signed the request may use them. Live as long as the call, wherever that moves.
  store::Queues& queues() const { return restricted_ ? *restricted_ : *services_->unguarded_queues; }
  // Error access_denied where the policy of whoever asks does not allow it.
  Status check(access::Verb verb, std::string_view queue) const;
  const http::VerifiedPrincipal& principal() const { return principal_; }
  const Client& client() const { return client_; }

  // Where the client reaches the queue of that name.
  std::string queue_url(std::string_view name) const;

  // An answer without fields in it, in the client's protocol.
  Answer begin_answer(std::size_t bytes_expected = 0) const {
    return Answer(client_.protocol, bytes_expected);
  }

  // Exactly one of these, once.
  void answer(Answer answer);
  void answer_empty() { answer(begin_answer()); }
  void fail(const Error& error);
  void answer(Result<Answer> result);

  // Asks to be told where nobody waits for the answer any more; see http::Responder::watch.
  void watch(UniqueFunction<void()> on_gone) { responder_.watch(std::move(on_gone)); }

  // Runs work(Call) on the connection's thread: where answers are put into words after a commit.
  template <typename Work>
  static void resume(Call call, Work work) {
    auto responder = std::move(call.responder_);
    responder.post([call = std::move(call), work = std::move(work)](http::Responder back) mutable {
      call.responder_ = std::move(back);
      work(std::move(call));
    });
  }

 private:
  const Services* services_;
  http::VerifiedPrincipal principal_;
  http::Responder responder_;
  Client client_;
  std::unique_ptr<store::RestrictedQueues> restricted_;  // null: whoever asks has no policy
};

// Answers a call that could not be made, or one that failed.
void send_failure(const Services& services, http::Responder responder, Protocol protocol, const Error& error);

// For the store to call with its outcome: goes back to the connection's thread and calls render(Call, value)
// there, or answers with the error.
template <typename Value, typename Render>
UniqueFunction<void(Result<Value>)> answer_with(Call call, Render render) {
  return [call = std::move(call), render = std::move(render)](Result<Value> outcome) mutable {
    Call::resume(std::move(call),
                 [outcome = std::move(outcome), render = std::move(render)](Call back) mutable {
                   if (!outcome) {
                     back.fail(outcome.error());
                     return;
                   }
                   render(std::move(back), *std::move(outcome));
                 });
  };
}

// The same where the outcome is a queue that nothing is told of.
inline store::QueueDone answer_empty_with(Call call) {
  return answer_with<queue::QueuePtr>(std::move(call),
                                      [](Call back, const queue::QueuePtr&) { back.answer_empty(); });
}

// An operation takes a call and its parameters, as JSON. The parameters die when it returns.
using Operation = void (*)(Call call, const json::Value& body);

struct NamedOperation {
  std::string_view name;
  Operation operation;
  access::Requires access;
};

}  // namespace waybill::api::sqs
