#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "access/policy.h"
#include "api/s3/request.h"
#include "api/s3/workers.h"
#include "api/s3/xml.h"
#include "base/entropy.h"
#include "base/result.h"
#include "bucket/buckets.h"
#include "http/responder.h"
#include "http/signature.h"

namespace waybill::api::s3 {

// What every operation may use. Outlives all calls.
struct Services {
  bucket::Buckets& buckets;
  Entropy& entropy;
  std::string region = "us-east-1";
  std::string account_id = "000000000000";
  bool accepts_any = false;  // any credentials pass: pages of other sites are kept out then
  Workers& workers;          // for what waits for a disk
  Workers& copiers;          // for what may take minutes
};

// One verified request on its way through an operation, and the duty to answer it once.
//
// Thread safety: one thread at a time; it may be moved to another.
class Call {
 public:
  Call(const Services& services, http::VerifiedHead head, Request request)
      : services_(&services), head_(std::move(head)), request_(std::move(request)) {}

  const Services& services() const { return *services_; }
  bucket::Buckets& buckets() const { return services_->buckets; }
  const Request& request() const { return request_; }
  const http::VerifiedHead& head() const { return head_; }
  const access::Policy* policy() const { return head_.principal.policy().get(); }

  // Error access_denied where the policy of whoever asks does not allow it.
  Status check_object(access::Verb verb, std::string_view bucket, std::string_view key) const;

  void set_responder(http::Responder responder) { responder_ = std::move(responder); }
  bool has_responder() const { return static_cast<bool>(responder_); }

  // With what every answer has: an id, and what lets pages of other sites see it.
  http::Response finished(http::Response response) const;
  http::Response failure(const Error& error) const;

  // Exactly one of these, once.
  void answer(http::Response response);
  void answer_xml(Xml xml);
  void answer_empty(int status);
  void fail(const Error& error);
  [[nodiscard]] http::Stream answer_stream(http::Response head, http::StreamOptions options);

 private:
  const Services* services_;
  http::VerifiedHead head_;
  Request request_;
  http::Responder responder_;
};

// An answer with XML in it.
http::Response xml_response(Xml xml);

// Answers a request that is no call yet, or never will be.
http::Response refusal(const Services& services, const Request& request, const Error& error);

// What an operation is about, by which its caller's policy is asked.
enum class Subject : unsigned char {
  service,  // nothing: it shows what the policy names
  bucket,   // one that the policy names
  listing,  // objects by the prefix that is asked for
  object,
};

using Operation = void (*)(Call call);
// Of operations whose body is the content of an object: asked when the head is there, before any of the body.
struct ContentPlan;
using OpenContent = Result<ContentPlan> (*)(const Call& call);

struct NamedOperation {
  std::string_view name;
  Operation run = nullptr;  // null: the body is content, see `open`
  OpenContent open = nullptr;
  access::Verb verb = access::Verb::read;
  Subject subject = Subject::object;
  bool takes_long = false;
};

}  // namespace waybill::api::s3
