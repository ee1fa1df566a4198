#include "queue/message.h"

#include "base/bytes.h"

namespace waybill::queue {
namespace {

constexpr char message_version = 1;

void append_text(std::string& out, std::string_view text) {
  append_varint(out, static_cast<uint32_t>(text.size()));
  out.append(text);
}

// Reads what append_varint and append_text wrote, never past the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool number(uint32_t& value) {
    value = 0;
    for (int shift = 0; shift < 32 && at_ < end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<uint32_t>(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return true;
      }
    }
    return false;
  }

  bool text(std::string& value) {
    uint32_t size = 0;
    if (!number(size) || static_cast<std::size_t>(end_ - at_) < size) {
      return false;
    }
    value.assign(at_, size);
    at_ += size;
    return true;
  }

  bool at_end() const { return at_ == end_; }

 private:
  const char* at_;
  const char* end_;
};

bool read(Reader& reader, Message& message) {
  uint32_t attributes = 0;
  if (!reader.text(message.id) || !reader.text(message.sender) || !reader.text(message.body) ||
      !reader.text(message.body_md5) || !reader.text(message.group) ||
      !reader.text(message.deduplication_id) || !reader.text(message.trace_header) ||
      !reader.text(message.dead_letter_source) || !reader.number(message.earlier_receives) ||
      !reader.number(attributes)) {
    return false;
  }
  for (uint32_t i = 0; i < attributes; ++i) {
    MessageAttribute attribute;
    if (!reader.text(attribute.name) || !reader.text(attribute.type) || !reader.text(attribute.value)) {
      return false;
    }
    message.attributes.push_back(std::move(attribute));
  }
  return reader.at_end();
}

}  // namespace

std::string encode(const Message& message) {
  std::string out;
  out.reserve(message.body.size() + 160);
  out.push_back(message_version);
  for (const std::string* text :
       {&message.id, &message.sender, &message.body, &message.body_md5, &message.group,
        &message.deduplication_id, &message.trace_header, &message.dead_letter_source}) {
    append_text(out, *text);
  }
  append_varint(out, message.earlier_receives);
  append_varint(out, static_cast<uint32_t>(message.attributes.size()));
  for (const auto& attribute : message.attributes) {
    append_text(out, attribute.name);
    append_text(out, attribute.type);
    append_text(out, attribute.value);
  }
  return out;
}

Result<Message> decode_message(std::string_view bytes) {
  Message message;
  if (!bytes.empty() && bytes.front() == message_version) {
    Reader reader(bytes.substr(1));
    if (read(reader, message)) {
      return message;
    }
  }
  return Error{ErrorKind::corruption, "a message in the store is damaged", {}};
}

}  // namespace waybill::queue
