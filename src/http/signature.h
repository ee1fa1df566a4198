#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/message.h"
#include "http/sha256.h"

namespace waybill::access {
class Policy;
}

namespace waybill::http {

// Proof that a request has passed the Verifier. Nothing else can make one, so a handler that takes it cannot
// be reached around the check.
class VerifiedPrincipal {
 public:
  // The key that signed the request. Where any credentials are accepted: the one named, or "anonymous".
  const std::string& access_key_id() const { return access_key_id_; }

  // What the key may do; null: everything.
  const std::shared_ptr<const access::Policy>& policy() const { return policy_; }

 private:
  friend class Verifier;
  explicit VerifiedPrincipal(std::string access_key_id,
                             std::shared_ptr<const access::Policy> policy = nullptr)
      : access_key_id_(std::move(access_key_id)), policy_(std::move(policy)) {}
  std::string access_key_id_;
  std::shared_ptr<const access::Policy> policy_;
};

// What is known of a signed request before its body is there.
struct VerifiedHead {
  VerifiedPrincipal principal;
  // x-amz-content-sha256 as it was signed: a digest in hexadecimal, "UNSIGNED-PAYLOAD", or "STREAMING-…".
  // Whoever reads the body holds it against that. Empty: any credentials pass, and none of it was said.
  std::string payload_hash;
  // What signatures within the body are checked with; absent: they are not.
  struct Chain {
    HmacKey key;
    std::string time;       // "20150830T123600Z"
    std::string scope;      // "20150830/us-east-1/s3/aws4_request"
    std::string signature;  // of the request
  };
  std::optional<Chain> chain = {};
};

struct AccessKey {
  std::string id;
  std::string secret;
  std::shared_ptr<const access::Policy> policy = nullptr;  // null: it may do everything
};

struct SignatureOptions {
  bool accept_any = false;        // any or no credentials pass: for loopback only
  int64_t skew_ms_max = 300'000;  // difference allowed between the client's clock and ours; at most 900,000
  const Clock* clock = nullptr;   // null: the system's; otherwise it outlives the Verifier
  std::vector<AccessKey> keys = {};
  std::vector<std::string> services = {"dynamodb"};  // what a credential may be scoped to; empty: anything
  std::string region = {};                           // the same for the region; empty: any
};

// Checks the AWS Signature Version 4 of a request, in its header or its query (presigned) form.
//
// Default deny: whatever is missing, given twice, unsigned or unknown is refused. The payload hash is
// computed from the body as received; x-amz-content-sha256 is never believed. Unknown keys cost the same work
// as known ones, and signatures are compared in constant time.
//
// Thread safety: verify() may be called from any thread.
class Verifier {
 public:
  explicit Verifier(SignatureOptions options);
  ~Verifier();

  // Outcomes besides success, with the texts of AWS: missing_authentication (no credentials at all),
  // incomplete_signature (parts missing), unknown_client (no such key), invalid_signature (all else).
  Result<VerifiedPrincipal> verify(const Request& request) const;

  // The same for a request to an object store, whose body may be anything and is still to come: what the head
  // says of it is signed, and is for the caller to check. An error's detail is "expired" where only the time
  // stands against it, and "no payload hash" where the head says nothing of the body.
  Result<VerifiedHead> verify_head(const Request& request) const;

  // The same for services that also take "Authorization: Bearer KEY_ID:SECRET" in place of a signature: good
  // for people with curl, and no better kept than the connection is.
  Result<VerifiedPrincipal> verify_with_bearer(const Request& request) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The access keys of a file {"keys":[{"id":"…","secret":"…"}]}, where each may have a "tenant" and a
// "policy"; see access/policy_reader.h. The errors say what to do; a file that others than its owner can read
// is refused.
Result<std::vector<AccessKey>> read_keys_file(const std::string& path);

}  // namespace waybill::http
