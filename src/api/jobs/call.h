#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/policy.h"
#include "access/reach.h"
#include "api/jobs/document.h"
#include "api/jobs/path.h"
#include "api/jobs/query.h"
#include "api/jobs/reply.h"
#include "base/result.h"
#include "http/signature.h"
#include "job/services.h"
#include "rules/adoption_book.h"
#include "rules/deployed.h"

namespace waybill::api::jobs {

class Feed;

// What every operation may use. Outlives all calls.
struct Services {
  job::Services jobs;
  // The contracts in force: the one of that name, or null; and all of them.
  std::function<rules::DeployedPtr(std::string_view name)> find_contract;
  std::function<std::vector<rules::DeployedPtr>()> all_contracts;
  Feed* feed = nullptr;          // null: there is no live feed
  bool accepts_anybody = false;  // no keys are asked for
  // How far a contract is with records that were there before it. Empty: nobody knows.
  std::function<std::optional<rules::Adoption>(std::string_view contract)> adoption_of = {};
};

// What a request says besides its path. Dies when the operation returns.
struct Input {
  const http::Request& request;
  const Document& document;
  json::Value body;  // an object; an empty one where the request has none
  Query query;
};

// One verified request on its way through an operation, and the duty to answer it once.
//
// Thread safety: one thread at a time. A call may move to a thread of the store and come back.
class Call {
 public:
  Call(const Services& services, Reply reply, const http::VerifiedPrincipal& principal, job::Target target)
      : services_(&services),
        reply_(std::move(reply)),
        access_key_id_(principal.access_key_id()),
        policy_(principal.policy()),
        target_(std::move(target)) {}

  const Services& services() const { return *services_; }
  const job::Services& jobs() const { return services_->jobs; }

  // What the path names, and who asks. The id is empty where the path has none; so is the subject where it
  // names no records.
  const job::Target& target() const { return target_; }
  const job::Subject& subject() const { return target_.subject; }
  job::Target target(std::string_view why) const;
  // The author under another name than the request's headers have.
  store::Author author_as(std::string_view actor) const;

  // What the caller may reach of the contract's records; null: everything.
  const access::ReachPtr& reach() const { return target_.reach; }
  // The contracts in force that the caller may know of.
  std::vector<rules::DeployedPtr> contracts() const;

  // Exactly one of these, once.
  void answer(http::Response response) { reply_.send(std::move(response)); }
  void fail(const Error& error);
  http::Stream answer_stream(http::Response head, http::StreamOptions options) {
    return reply_.send_stream(std::move(head), std::move(options));
  }

  // Whether other calls are answered with this one: then it must not wait, and not answer with a stream.
  bool is_of_batch() const { return reply_.is_of_batch(); }

  // Asks to be told where nobody waits for the answer any more; see http::Responder::watch.
  void watch(UniqueFunction<void()> on_gone) { reply_.watch(std::move(on_gone)); }

  http::Executor executor() const { return reply_.executor(); }

  // Runs work(Call) on the connection's thread: where answers are put into words after a commit.
  template <typename Work>
  static void resume(Call call, Work work) {
    auto reply = std::move(call.reply_);
    reply.post([call = std::move(call), work = std::move(work)](Reply back) mutable {
      call.reply_ = std::move(back);
      work(std::move(call));
    });
  }

 private:
  const Services* services_;
  Reply reply_;
  std::string access_key_id_;
  access::PolicyPtr policy_;  // null: the caller may do everything
  job::Target target_;
};

inline constexpr std::size_t actor_bytes_max = 200;

// How histories name who did something: the key, and behind a slash whom it acts for. A name that goes with
// no key stands alone.
std::string author_name(std::string_view access_key_id, std::string_view actor);

// For an operation to call with its outcome: goes back to the connection's thread and answers with what
// render(call, value) makes of it, or with the error.
template <typename Value, typename Render>
job::Answer<Value> answer_with(Call call, Render render) {
  return [call = std::move(call), render = std::move(render)](Result<Value> outcome) mutable {
    Call::resume(std::move(call),
                 [outcome = std::move(outcome), render = std::move(render)](Call back) mutable {
                   if (!outcome) {
                     back.fail(outcome.error());
                     return;
                   }
                   auto response = render(back, *std::move(outcome));
                   back.answer(std::move(response));
                 });
  };
}

// An answer whose body is JSON that is put in later.
http::Response json_response(int status = 200);

// A record with its ETag.
http::Response record_response(const Call& call, item::ItemView record, int status = 200);

// The same after an operation.
http::Response changed_response(const Call& call, const job::Changed& changed);

// What a request with If-Match must find; nothing where it has none, or "*". Error malformed.
Result<std::optional<std::string>> read_if_match(const http::Request& request);

}  // namespace waybill::api::jobs
