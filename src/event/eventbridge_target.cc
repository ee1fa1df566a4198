#include "event/eventbridge_target.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/json.h"
#include "http/amz_time.h"
#include "http/signer.h"

namespace waybill::event {
namespace {

constexpr std::size_t entries_max = 10;
constexpr std::size_t request_bytes_max = 256 * 1024;  // of the entries of one request
constexpr std::string_view content_type = "application/x-amz-json-1.1";
constexpr std::string_view operation = "AWSEvents.PutEvents";

std::string entry_of(const Event& event, const std::string& bus) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("Source").string(event.source);
  out.key("DetailType").string(event.type);
  out.key("Detail").string(cloud_event(event));
  out.key("Time").integer(event.time_ms / 1000);
  out.key("EventBusName").string(bus);
  out.end_object();
  return text;
}

std::string body_of(const std::vector<std::string>& entries) {
  std::string text = R"({"Entries":[)";
  for (const auto& entry : entries) {
    text += text.ends_with('[') ? "" : ",";
    text += entry;
  }
  return text + "]}";
}

std::string_view member(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? found->string() : std::string_view();
}

// "com.amazonaws.events#ValidationException" without what stands before.
std::string_view error_name(std::string_view type) {
  return type.substr(type.find('#') == std::string_view::npos ? 0 : type.find('#') + 1);
}

// What EventBridge says of an entry that has nothing to do with the entry.
bool is_its_own_trouble(std::string_view code) {
  constexpr std::array<std::string_view, 5> codes = {"ThrottlingException", "InternalFailure",
                                                     "InternalException", "ServiceUnavailable",
                                                     "ConcurrentModificationException"};
  return std::ranges::find(codes, code) != codes.end();
}

Delivery read_entry(const json::Value& entry) {
  const auto code = member(entry, "ErrorCode");
  if (code.empty()) {
    return {};
  }
  const std::string why = std::string(code) + ": " + std::string(member(entry, "ErrorMessage"));
  return {is_its_own_trouble(code) ? Told::failed : Told::refused, why};
}

// Nothing where the answer is none of PutEvents to so many entries.
std::optional<std::vector<Delivery>> read_answer(std::string_view body, std::size_t count) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  const auto entries = root && root->is_object() ? root->find("Entries") : std::nullopt;
  if (!entries || !entries->is_array() || entries->size() != count) {
    return {};
  }
  std::vector<Delivery> deliveries;
  for (json::Elements each(*entries); each.next();) {
    deliveries.push_back(read_entry(each.value()));
  }
  return deliveries;
}

struct Refusal {
  std::string why;
  bool is_about_content = false;
};

Refusal read_refusal(const http::PostAnswer& answer) {
  json::Parser parser;
  const auto root = parser.parse_copy(answer.body);
  const std::string name(root ? error_name(member(*root, "__type")) : std::string_view());
  const std::string text(root ? member(*root, "message") : std::string_view());
  const bool about_content = answer.status == 413 || name == "ValidationException" ||
                             name == "SerializationException" || name == "PutEventsRequestEntrySizeException";
  return {"status " + std::to_string(answer.status) + (name.empty() ? "" : " " + name) +
              (text.empty() ? "" : ": " + text),
          about_content && answer.status < 500};
}

std::vector<Delivery> all(std::size_t count, Told told, const std::string& why) {
  return {count, Delivery{told, why}};
}

}  // namespace

Result<std::unique_ptr<Target>> EventBridgeTarget::open(Options options) {
  if (options.endpoint.empty()) {
    options.endpoint = "https://events." + options.region + ".amazonaws.com";
  }
  WAYBILL_TRY_ASSIGN(auto client, http::PostClient::open(options.endpoint));
  return std::unique_ptr<Target>(new EventBridgeTarget(std::move(client), std::move(options)));
}

std::size_t EventBridgeTarget::batch_max() const {
  return entries_max;
}

// In requests of as many events as fit.
std::vector<Delivery> EventBridgeTarget::deliver(const std::vector<Event>& events) {
  std::vector<Delivery> deliveries;
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  const auto put_gathered = [&] {
    const auto outcome = put(std::exchange(entries, {}));
    deliveries.insert(deliveries.end(), outcome.begin(), outcome.end());
    bytes = 0;
  };
  for (const auto& event : events) {
    std::string entry = entry_of(event, options_.bus);
    if (!entries.empty() && (entries.size() == entries_max || bytes + entry.size() > request_bytes_max)) {
      put_gathered();
    }
    bytes += entry.size();
    entries.push_back(std::move(entry));
  }
  put_gathered();
  return deliveries;
}

std::vector<Delivery> EventBridgeTarget::put(const std::vector<std::string>& entries) {
  const std::string body = body_of(entries);
  const auto answer = client_->post(signed_headers(body), body);
  if (!answer) {
    return all(entries.size(), Told::failed, answer.error().message);
  }
  if (answer->status == 200) {
    auto deliveries = read_answer(answer->body, entries.size());
    return deliveries ? *std::move(deliveries)
                      : all(entries.size(), Told::failed, "its answer is none of PutEvents");
  }
  const Refusal refusal = read_refusal(*answer);
  if (!refusal.is_about_content || entries.size() == 1) {
    return all(entries.size(), refusal.is_about_content ? Told::refused : Told::failed, refusal.why);
  }
  std::vector<Delivery> deliveries;
  deliveries.reserve(entries.size());
  for (const auto& entry : entries) {
    deliveries.push_back(put({entry}).front());
  }
  return deliveries;
}

std::vector<std::string> EventBridgeTarget::signed_headers(const std::string& body) const {
  const std::string time = http::format_amz_time(options_.clock->wall_seconds());
  const std::string date = time.substr(0, 8);
  const std::string scope = date + "/" + options_.region + "/events/aws4_request";
  constexpr std::string_view names = "content-type;host;x-amz-date;x-amz-target";
  http::Request request;
  request.method = "POST";
  request.path = client_->path();
  request.query = client_->query();
  request.headers = {{"Content-Type", content_type},
                     {"Host", client_->host()},
                     {"X-Amz-Date", time},
                     {"X-Amz-Target", operation}};
  const std::string payload_hash = hex_lower(http::bytes_of(http::sha256(body)));
  http::CanonicalForm form;
  form.signed_headers = names;
  form.payload_hash = payload_hash;
  const auto key = http::derive_signing_key(options_.secret_key, {date, options_.region, "events"});
  const std::string signature =
      hex_lower(http::bytes_of(http::signature_of(request, form, time, scope, key)));
  std::vector<std::string> lines;
  lines.reserve(request.headers.size() + 1);
  for (const auto& [name, value] : request.headers) {
    lines.push_back(std::string(name).append(": ").append(value));
  }
  lines.push_back("Authorization: AWS4-HMAC-SHA256 Credential=" + options_.access_key + "/" + scope +
                  ", SignedHeaders=" + std::string(names) + ", Signature=" + signature);
  return lines;
}

}  // namespace waybill::event
