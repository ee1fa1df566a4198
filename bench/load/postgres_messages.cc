#include "load/postgres_messages.h"

#include <algorithm>
#include <charconv>

namespace waybill::load::postgres {
namespace {

constexpr std::size_t protocol_version = 196'608;  // 3.0

OutBuffer& add_text(OutBuffer& out, std::string_view text) {
  return out.add(text).add('\0');
}

uint32_t int32_at(const char* at) {
  uint32_t number = 0;
  for (int i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(at[i]);
  }
  return number;
}

}  // namespace

// The one message without a type.
void add_startup(OutBuffer& out, std::string_view user, std::string_view database) {
  const auto start = out.size();
  out.skip(4).add_int32(protocol_version);
  add_text(out, "user");
  add_text(out, user);
  add_text(out, "database");
  add_text(out, database);
  out.add('\0');
  OutBuffer::put_int32(out.data() + start, out.size() - start);
}

void add_query(OutBuffer& out, std::string_view sql) {
  const MessageWriter message(out, 'Q');
  add_text(out, sql);
}

void add_parse(OutBuffer& out, std::string_view name, std::string_view sql, const std::vector<int>& types) {
  const MessageWriter message(out, 'P');
  add_text(out, name);
  add_text(out, sql);
  out.add_int16(types.size());
  for (const int type : types) {
    out.add_int32(static_cast<std::size_t>(type));
  }
}

void add_sync(OutBuffer& out) {
  out.add(std::string_view("S\0\0\0\x04", 5));
}

BindWriter::BindWriter(OutBuffer& out, std::string_view statement, std::size_t count) : out_(out) {
  out_.add('B');
  length_at_ = out_.size();
  out_.skip(4).add('\0');
  add_text(out_, statement);
  out_.add_int16(0).add_int16(count);
}

BindWriter::~BindWriter() {
  constexpr std::string_view execute_all_rows("E\0\0\0\x09\0\0\0\0\0", 10);
  out_.add_int16(0);
  OutBuffer::put_int32(out_.data() + length_at_, out_.size() - length_at_);
  out_.add(execute_all_rows);
}

BindWriter& BindWriter::parameter(int64_t value) {
  char digits[20];
  const auto* const end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  return parameter(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

std::optional<Message> take_message(std::string_view& received) {
  constexpr std::size_t head_bytes = 5;
  if (received.size() < head_bytes) {
    return std::nullopt;
  }
  const std::size_t bytes = 1 + int32_at(received.data() + 1);
  if (received.size() < bytes) {
    return std::nullopt;
  }
  const Message message{received[0], received.substr(head_bytes, bytes - head_bytes)};
  received.remove_prefix(bytes);
  return message;
}

std::vector<std::string_view> columns_of(std::string_view data_row) {
  constexpr uint32_t null_size = 0xffffffff;
  std::vector<std::string_view> columns;
  data_row.remove_prefix(std::min<std::size_t>(data_row.size(), 2));
  while (data_row.size() >= 4) {
    const auto size = int32_at(data_row.data());
    data_row.remove_prefix(4);
    const auto value = size == null_size ? std::string_view() : data_row.substr(0, size);
    columns.push_back(value);
    data_row.remove_prefix(value.size());
  }
  return columns;
}

std::string error_text(std::string_view content) {
  std::string text;
  while (!content.empty() && content[0] != '\0') {
    const auto field = content.substr(0, content.find('\0'));
    if (field[0] == 'S' || field[0] == 'C' || field[0] == 'M') {
      text.append(field.substr(1)).append(" ");
    }
    content.remove_prefix(std::min(content.size(), field.size() + 1));
  }
  return text;
}

}  // namespace waybill::load::postgres
