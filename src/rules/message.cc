#include "rules/message.h"

#include <memory>
#include <utility>

#include "base/json.h"
#include "item/plain_json.h"
#include "queue/digest.h"
#include "queue/message.h"

namespace waybill::rules {

namespace {

// A message's id must be unlike all others, no more: it is made of a number that was never given before.
std::string message_id(uint64_t number) {
  const auto mixed = [](uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31U);
  };
  const std::string hex = "0123456789abcdef";
  std::string digits;
  for (const uint64_t part : {mixed(number), mixed(~number)}) {
    for (unsigned shift = 0; shift < 64; shift += 4) {
      digits += hex[(part >> shift) & 0xFU];
    }
  }
  digits[12] = '4';
  digits[16] = '8';
  for (const std::size_t at : {20U, 16U, 12U, 8U}) {
    digits.insert(at, 1, '-');
  }
  return digits;
}

}  // namespace

std::string envelope(const Happening& happening) {
  std::string body = "{";
  for (const auto& [name, made] : happening.kind.message) {
    body += body.size() == 1 ? "" : ",";
    json::append_string(body, name);
    body += ':';
    std::string encoded;
    if (made.append(encoded, contract::FieldType::any, happening.after)) {
      item::append_plain_json(body, item::ValueView(encoded.data()));
    } else {
      body += "null";
    }
  }
  return body + "}";
}

store::Effect make_message(const OutgoingMessage& outgoing, store::Ground& ground) {
  queue::Message message;
  message.id = message_id(ground.next_number());
  message.sender = outgoing.sender;
  message.body = outgoing.body;
  message.body_md5 = queue::md5_hex(message.body);
  message.group = outgoing.group;
  store::NewMessage sent;
  sent.id = message.id;
  sent.group = message.group;
  sent.record = queue::encode(message);
  store::Effect effect;
  effect.kind = store::Effect::Kind::send;
  effect.queue = outgoing.queue;
  effect.message = std::make_shared<const store::NewMessage>(std::move(sent));
  return effect;
}

}  // namespace waybill::rules
