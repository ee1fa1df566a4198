#include "http/signature.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>

#include "base/bytes.h"
#include "base/utf8.h"
#include "http/amz_time.h"
#include "http/character.h"
#include "http/credentials.h"
#include "http/signer.h"
#include "http/uri.h"

namespace waybill::http {
namespace {

constexpr int64_t skew_ms_limit = 900'000;
constexpr std::size_t cached_keys = 64;  // for each thread
constexpr std::size_t claimed_id_bytes_max = 128;
constexpr std::string_view unknown_key_secret = "no key has this secret; it only takes the time of one";

const char* const mismatch =
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
    "Access Key and signing method. Consult the service documentation for details.";

Error refused(std::string message) {
  return Error{ErrorKind::invalid_signature, std::move(message), {}};
}

Error out_of_time(std::string message) {
  return Error{ErrorKind::invalid_signature, std::move(message), "expired"};
}

// The digest in 64 hexadecimal digits; false for anything else.
bool read_digest(std::string_view text, Digest& digest) {
  if (text.size() != digest.size() * 2) {
    return false;
  }
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = hex_value(text[2 * i]);
    const int low = hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    digest[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return true;
}

bool starts_with_amz(std::string_view name) {
  return name.size() > 6 && equals_ignoring_case(name.substr(0, 6), "x-amz-");
}

bool list_has_name(std::string_view signed_headers, std::string_view name) {
  while (!signed_headers.empty()) {
    const std::string_view candidate = signed_headers.substr(0, signed_headers.find(';'));
    if (equals_ignoring_case(name, candidate)) {
      return true;
    }
    signed_headers.remove_prefix(std::min(candidate.size() + 1, signed_headers.size()));
  }
  return false;
}

// Names in lower case, in order, once each, and there.
Status check_list(std::string_view signed_headers, const Request& request) {
  std::string_view last;
  for (std::string_view rest = signed_headers;;) {
    const std::string_view name = rest.substr(0, rest.find(';'));
    const bool lower_case =
        std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!lower_case || name <= last) {
      return refused("SignedHeaders must be lower-case names in order, separated by semicolons.");
    }
    if (!request.has_header(name)) {
      return refused("The signed header '" + std::string(name.substr(0, 64)) + "' is not in the request.");
    }
    if (name.size() == rest.size()) {
      return {};
    }
    rest.remove_prefix(name.size() + 1);
    last = name;
  }
}

// What the service acts upon has to be signed, and cannot be there twice.
Status check_signed_headers(const Request& request, std::string_view signed_headers) {
  WAYBILL_TRY(check_list(signed_headers, request));
  if (!list_has_name(signed_headers, "host")) {
    return refused("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  }
  for (const Header& header : request.headers) {
    if (!starts_with_amz(header.name)) {
      continue;
    }
    if (!list_has_name(signed_headers, header.name)) {
      return refused("'" + std::string(header.name) + "' must be a 'SignedHeader' in the AWS Authorization.");
    }
    for (const Header& other : request.headers) {
      if (&other != &header && other.name.size() == header.name.size() &&
          std::equal(other.name.begin(), other.name.end(), header.name.begin(),
                     [](char a, char b) { return (a | 0x20) == (b | 0x20); })) {
        return refused("'" + std::string(header.name) + "' is given more than once.");
      }
    }
  }
  return {};
}

// Payloads whose hash is not part of the signature.
Status check_payload_is_signed(const Request& request) {
  const std::string_view hash = request.header("x-amz-content-sha256");
  Digest ignored;
  if (!hash.empty() && !read_digest(hash, ignored)) {
    return refused("x-amz-content-sha256 must be the SHA-256 of the body; '" +
                   std::string(hash.substr(0, 64)) + "' is not supported.");
  }
  return {};
}

// What the head of a request to an object store says of its body, and its signature covers.
Result<std::string> declared_payload(const Request& request, const Credentials& credentials) {
  std::string hash(request.header("x-amz-content-sha256"));
  if (hash.empty() && credentials.presigned) {
    find_query_parameter(request.query, "X-Amz-Content-Sha256", hash);
    return hash.empty() ? std::string("UNSIGNED-PAYLOAD") : hash;
  }
  if (hash.empty()) {
    return Error{ErrorKind::incomplete_signature,
                 "Missing required header for this request: x-amz-content-sha256", "no payload hash"};
  }
  return hash;
}

std::string minutes_text(int64_t milliseconds) {
  return milliseconds % 60'000 == 0 ? std::to_string(milliseconds / 60'000) + " min."
                                    : std::to_string(milliseconds / 1000) + " sec.";
}

struct CachedKey {
  uint64_t verifier = 0;
  std::string credential;
  HmacKey key;
};

// Signing keys change once a day; deriving one costs four signatures.
CachedKey& cache_slot(std::string_view credential) {
  thread_local std::array<CachedKey, cached_keys> cache;
  return cache[std::hash<std::string_view>()(credential) % cached_keys];
}

// Whoever is not asked for a key may name any, as long as it can be written down.
std::string principal_name(std::string claimed_id) {
  return claimed_id.empty() || !is_utf8(claimed_id) ? "anonymous" : std::move(claimed_id);
}

std::atomic<uint64_t> verifiers_made = 0;

}  // namespace

struct Verifier::State {
  SignatureOptions options;
  SystemClock system_clock;
  const Clock* clock;
  std::map<std::string, AccessKey, std::less<>> keys;
  uint64_t id;  // tells the cached keys of one Verifier from another's

  Status check_scope(const Credentials& credentials) const;
  Status check_time(const Credentials& credentials) const;
  const HmacKey& signing_key(const Credentials& credentials, std::string_view secret) const;

  struct Checked {
    HmacKey key;
    std::shared_ptr<const access::Policy> policy;
  };
  Result<Checked> check_signature(const Request& request, const Credentials& credentials,
                                  std::string_view payload_hash) const;
};

Verifier::Verifier(SignatureOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->options.skew_ms_max = std::clamp<int64_t>(state_->options.skew_ms_max, 0, skew_ms_limit);
  state_->clock = state_->options.clock != nullptr ? state_->options.clock : &state_->system_clock;
  for (const AccessKey& key : state_->options.keys) {
    state_->keys.insert_or_assign(key.id, key);
  }
  state_->id = ++verifiers_made;
}

Verifier::~Verifier() = default;

Status Verifier::State::check_scope(const Credentials& credentials) const {
  const std::string_view day = std::string_view(credentials.time).substr(0, 8);
  if (credentials.date != day) {
    return refused(
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" +
        std::string(credentials.date) + "' != '" + std::string(day) + "', from '" + credentials.time + "'.");
  }
  const auto& services = options.services;
  if (!services.empty() &&
      std::find(services.begin(), services.end(), credentials.service) == services.end()) {
    return refused("Credential should be scoped to correct service: '" + services.front() + "'.");
  }
  if (!options.region.empty() && credentials.region != options.region) {
    return refused("Credential should be scoped to a valid region, not '" + std::string(credentials.region) +
                   "'.");
  }
  if (credentials.region.empty() || credentials.terminator != "aws4_request") {
    return refused("Credential should be scoped with a valid terminator: 'aws4_request', not '" +
                   std::string(credentials.terminator) + "'.");
  }
  return {};
}

Status Verifier::State::check_time(const Credentials& credentials) const {
  const int64_t now_ms = clock->wall_ms();
  const int64_t signed_ms = credentials.time_seconds * 1000;
  const int64_t skew_ms = options.skew_ms_max;
  const int64_t good_for_ms = credentials.presigned ? credentials.expires_seconds * 1000 : skew_ms;
  const auto now = [now_ms] { return format_amz_time(now_ms / 1000); };
  if (signed_ms < now_ms - good_for_ms) {
    return out_of_time("Signature expired: " + credentials.time + " is now earlier than " +
                       format_amz_time((now_ms - good_for_ms) / 1000) + " (" + now() + " - " +
                       minutes_text(good_for_ms) + ")");
  }
  if (signed_ms > now_ms + skew_ms) {
    return out_of_time("Signature not yet current: " + credentials.time + " is still later than " +
                       format_amz_time((now_ms + skew_ms) / 1000) + " (" + now() + " + " +
                       minutes_text(skew_ms) + ")");
  }
  return {};
}

const HmacKey& Verifier::State::signing_key(const Credentials& credentials, std::string_view secret) const {
  CachedKey& slot = cache_slot(credentials.credential);
  if (slot.verifier != id || slot.credential != credentials.credential) {
    slot.verifier = id;
    slot.credential = credentials.credential;
    slot.key = derive_signing_key(secret, {credentials.date, credentials.region, credentials.service});
  }
  return slot.key;
}

Result<Verifier::State::Checked> Verifier::State::check_signature(const Request& request,
                                                                  const Credentials& credentials,
                                                                  std::string_view payload_hash) const {
  const auto known = keys.find(credentials.key_id);
  const bool is_known = known != keys.end();
  const HmacKey& key =
      signing_key(credentials, is_known ? std::string_view(known->second.secret) : unknown_key_secret);
  CanonicalForm form;
  form.signed_headers = credentials.signed_headers;
  form.payload_hash = payload_hash;
  form.presigned = credentials.presigned;
  form.object_store = credentials.service == "s3";
  const Digest expected = signature_of(request, form, credentials.time, credentials.scope, key);
  Digest given{};
  const bool readable = read_digest(credentials.signature, given);
  const bool same = CRYPTO_memcmp(expected.data(), given.data(), expected.size()) == 0;
  if (!is_known) {
    return Error{ErrorKind::unknown_client, "The security token included in the request is invalid.", {}};
  }
  if (!readable || !same) {
    return refused(mismatch);
  }
  return Checked{key, known->second.policy};
}

Result<VerifiedPrincipal> Verifier::verify(const Request& request) const {
  if (state_->options.accept_any) {
    return VerifiedPrincipal(principal_name(claimed_key_id(request)));
  }
  Credentials credentials;
  WAYBILL_TRY(read_credentials(request, credentials));
  WAYBILL_TRY(state_->check_scope(credentials));
  WAYBILL_TRY(state_->check_time(credentials));
  WAYBILL_TRY(check_signed_headers(request, credentials.signed_headers));
  WAYBILL_TRY(check_payload_is_signed(request));

  const std::string payload_hash = hex_lower(bytes_of(sha256(request.raw_body)));
  WAYBILL_TRY_ASSIGN(const auto checked, state_->check_signature(request, credentials, payload_hash));
  return VerifiedPrincipal(std::string(credentials.key_id), checked.policy);
}

Result<VerifiedHead> Verifier::verify_head(const Request& request) const {
  if (state_->options.accept_any) {
    return VerifiedHead{VerifiedPrincipal(principal_name(claimed_key_id(request))),
                        std::string(request.header("x-amz-content-sha256"))};
  }
  Credentials credentials;
  WAYBILL_TRY(read_credentials(request, credentials));
  WAYBILL_TRY(state_->check_scope(credentials));
  WAYBILL_TRY(state_->check_time(credentials));
  WAYBILL_TRY(check_signed_headers(request, credentials.signed_headers));
  WAYBILL_TRY_ASSIGN(auto payload_hash, declared_payload(request, credentials));
  WAYBILL_TRY_ASSIGN(const auto checked, state_->check_signature(request, credentials, payload_hash));
  return VerifiedHead{VerifiedPrincipal(std::string(credentials.key_id), checked.policy),
                      std::move(payload_hash),
                      VerifiedHead::Chain{checked.key, credentials.time, std::string(credentials.scope),
                                          std::string(credentials.signature)}};
}

Result<VerifiedPrincipal> Verifier::verify_with_bearer(const Request& request) const {
  constexpr std::string_view scheme = "Bearer ";
  std::string_view given = request.header("authorization");
  if (!given.starts_with(scheme) || request.duplicate_header("authorization")) {
    return verify(request);
  }
  given.remove_prefix(scheme.size());
  const auto colon = given.find(':');
  const std::string_view id = given.substr(0, colon);
  if (state_->options.accept_any) {
    return VerifiedPrincipal(principal_name(std::string(id.substr(0, claimed_id_bytes_max))));
  }
  const auto known = state_->keys.find(id);
  const bool is_known = known != state_->keys.end();
  // Digests are of one length, whatever the secrets are.
  const Digest expected = sha256(is_known ? std::string_view(known->second.secret) : unknown_key_secret);
  const Digest shown = sha256(colon == std::string_view::npos ? "" : given.substr(colon + 1));
  const bool same = CRYPTO_memcmp(expected.data(), shown.data(), expected.size()) == 0;
  if (!is_known || !same) {
    return Error{ErrorKind::unknown_client, "There is no such key, or its secret is another.", {}};
  }
  return VerifiedPrincipal(std::string(id), known->second.policy);
}

}  // namespace waybill::http
