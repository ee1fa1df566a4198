#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "access/policy.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/json.h"
#include "base/result.h"
#include "http/responder.h"
#include "http/signature.h"
#include "store/restricted_store.h"
#include "store/store.h"

namespace waybill::transfer {
class Transfers;
}

namespace waybill::api::dynamodb {

// The service's protocol in its two versions, which differ in nothing else that matters here.
inline constexpr std::string_view json_1_0 = "application/x-amz-json-1.0";
inline constexpr std::string_view json_1_1 = "application/x-amz-json-1.1";

// What every operation may use. Outlives all calls.
struct Services {
  store::Store& unguarded_store;  // past all policies: operations use Call::store()
  const Clock& clock;
  Entropy& entropy;
  std::string region = "us-east-1";
  std::string account_id = "000000000000";
  std::string endpoint = "127.0.0.1:8000";   // where clients reach this server
  bool encrypted_at_rest = false;            // all that the store keeps is encrypted
  transfer::Transfers* transfers = nullptr;  // for operations that are about exports and imports

  // arn:aws:dynamodb:<region>:<account>:table/<name>
  std::string table_arn(std::string_view table_name) const;
  // <table's>/stream/<label>
  std::string stream_arn(std::string_view table_name, std::string_view label) const;
};

// How an operation is spoken of. The views live as long as the call.
struct CallWords {
  std::string_view content_type = json_1_0;      // of answers
  std::string_view action_prefix = "dynamodb:";  // before the operation's name, in policies of AWS
  std::string_view operation;                    // "GetItem"
  bool imports = false;  // what is written happened elsewhere: see rules/draft.h, is_imported
};

// One verified request on its way through an operation, and the duty to answer it once.
//
// Thread safety: one thread at a time. A call may move to a thread of the store and come back.
class Call {
 public:
  Call(const Services& services, http::VerifiedPrincipal principal, http::Responder responder,
       const CallWords& words);

  const Services& services() const { return *services_; }
  // As whoever has signed the request may see and change it. Lives as long as the call, wherever that moves.
  store::Store& store() const { return restricted_ ? *restricted_ : services_->unguarded_store; }
  bool is_restricted() const { return restricted_ != nullptr; }
  const http::VerifiedPrincipal& principal() const { return principal_; }
  bool imports() const { return words_.imports; }

  // Answers with a JSON body, or with the error in the service's form. Exactly one of these, once.
  void answer(std::string body);
  void fail(const Error& error);
  void answer(Result<std::string> result);
  // An Error of kind access_denied as AWS words it; its detail is the resource, "table/NAME".
  Error worded(Error error) const;
  // An error whose body has more than type and message; `body` is complete JSON.
  void fail_with_body(int status, std::string body);

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
  CallWords words_;
  std::unique_ptr<store::RestrictedStore> restricted_;  // null: whoever asks has no policy
};

// An operation takes a call and the parsed body of its request. The body's values die when it returns.
using Operation = void (*)(Call call, const json::Value& body);

struct NamedOperation {
  std::string_view name;
  Operation operation;
  access::Requires access;
};

// The operations of one service, sorted by name. A request names one as prefix and name.
struct OperationList {
  std::string_view prefix;
  std::span<const NamedOperation> operations;
  std::string_view content_type = json_1_0;  // of its answers
  std::string_view action_prefix = "dynamodb:";
};

}  // namespace waybill::api::dynamodb
