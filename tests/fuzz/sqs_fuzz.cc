// links: api
//
// The input is taken for everything that a client of queues can send in bytes of its own: a form of the query
// protocol, a receipt handle, a redrive policy, the body of a message; and for a message as the store has it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/sqs/form.h"
#include "base/check.h"
#include "base/json.h"
#include "queue/draft.h"
#include "queue/message.h"
#include "queue/receipt.h"
#include "queue/settings.h"

namespace {

using namespace waybill;

void check_form(std::string_view text) {
  const auto form = api::sqs::read_form({}, text);
  if (!form) {
    return;
  }
  // What is not UTF-8 is refused by the parser; what it takes must be a structure.
  json::Parser parser;
  if (const auto body = parser.parse_copy(form->json)) {
    WAYBILL_CHECK(body->is_object());
  }
}

void check_receipt(std::string_view text) {
  const auto receipt = queue::decode_receipt(text);
  if (!receipt) {
    return;
  }
  const auto again = queue::decode_receipt(queue::encode(*receipt));
  WAYBILL_CHECK(again.has_value());
  WAYBILL_CHECK(again->space == receipt->space && again->sequence == receipt->sequence &&
                again->token == receipt->token && again->group == receipt->group);
}

void check_message(std::string_view bytes) {
  if (const auto message = queue::decode_message(bytes)) {
    WAYBILL_CHECK(queue::decode_message(queue::encode(*message)).has_value());
  }
}

// The quick look at eight bytes a time finds what one at each byte finds.
void check_characters(std::string_view text) {
  bool allowed = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    const bool none = text.substr(i, 3) == "\xef\xbf\xbe" || text.substr(i, 3) == "\xef\xbf\xbf";
    allowed = allowed && !control && !none;
  }
  json::Parser parser;
  std::string quoted;
  json::append_string(quoted, text);
  const bool is_utf8 = parser.parse_copy(quoted).has_value();
  if (is_utf8) {
    WAYBILL_CHECK(queue::has_only_message_characters(text) == allowed);
  }
}

void check_settings(std::string_view text) {
  const std::string value(text);
  for (const auto* name : {"RedrivePolicy", "RedriveAllowPolicy", "DelaySeconds", "WaybillAlarmDepth"}) {
    static_cast<void>(queue::read_settings({{name, value}}).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_form(text);
  check_receipt(text);
  check_message(text);
  check_characters(text);
  check_settings(text);
  return 0;
}
