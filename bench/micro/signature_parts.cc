// http: signatures. Callgrind shows SHA-256 without the processor's own instructions for it, which many have
// and which make it several times cheaper: what a change of our own code does is seen in canonical_request.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "base/check.h"
#include "base/clock.h"
#include "http/canonical_request.h"
#include "http/signature.h"
#include "part.h"
#include "samples.h"

namespace waybill::micro {
namespace {

const ManualClock clock_at_now(now_ms);

Work verify(std::string_view operation, const std::string& body) {
  const auto sample = request(operation, body);
  http::SignatureOptions options;
  options.clock = &clock_at_now;
  options.keys = {{std::string(access_key_id), std::string(access_key_secret)}};
  const auto verifier = std::make_shared<const http::Verifier>(std::move(options));
  WAYBILL_CHECK(verifier->verify(sample->parsed()).has_value());
  return {.once =
              [sample, verifier] {
                const auto principal = verifier->verify(sample->parsed());
                benchmark::DoNotOptimize(principal);
              },
          .bytes = static_cast<int64_t>(sample->text().size())};
}

Work verify_get_item() {
  return verify("GetItem", get_item_body());
}
Work verify_put_item() {
  return verify("PutItem", put_item_body());
}

// Where any credentials pass.
Work accept_any() {
  const auto sample = request("GetItem", get_item_body());
  http::SignatureOptions options;
  options.accept_any = true;
  const auto verifier = std::make_shared<const http::Verifier>(std::move(options));
  return {.once = [sample, verifier] {
    const auto principal = verifier->verify(sample->parsed());
    benchmark::DoNotOptimize(principal);
  }};
}

Work canonical_request() {
  const auto sample = request("GetItem", get_item_body());
  auto out = std::make_shared<std::string>();
  const std::string payload_hash(64, '0');
  return {.once =
              [sample, out, payload_hash] {
                out->clear();
                http::CanonicalForm form;
                form.signed_headers = "content-type;host;x-amz-date;x-amz-target";
                form.payload_hash = payload_hash;
                http::append_canonical_request(*out, sample->parsed(), form);
                benchmark::DoNotOptimize(out->data());
              },
          .bytes = static_cast<int64_t>(sample->head().size())};
}

}  // namespace

void add_signature_parts(Parts& parts) {
  parts.push_back({"http.verify_get_item", verify_get_item});
  parts.push_back({"http.verify_put_item", verify_put_item});
  parts.push_back({"http.accept_any", accept_any});
  parts.push_back({"http.canonical_request", canonical_request});
}

}  // namespace waybill::micro
