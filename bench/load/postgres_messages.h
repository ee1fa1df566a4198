#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/out_buffer.h"

// PostgreSQL's frontend/backend protocol, version 3: messages of a type byte, a length that counts itself,
// and a content. Only what the load generator needs; all values travel as text.
namespace waybill::load::postgres {

// Starts a message on construction and fills in its length when it goes.
class MessageWriter {
 public:
  MessageWriter(OutBuffer& out, char type) : out_(out) {
    out_.add(type);
    length_at_ = out_.size();
    out_.skip(4);
  }
  ~MessageWriter() { OutBuffer::put_int32(out_.data() + length_at_, out_.size() - length_at_); }
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;

 private:
  OutBuffer& out_;
  std::size_t length_at_;
};

void add_startup(OutBuffer& out, std::string_view user, std::string_view database);
void add_query(OutBuffer& out, std::string_view sql);
// `types`: the parameters' type numbers.
void add_parse(OutBuffer& out, std::string_view name, std::string_view sql, const std::vector<int>& types);
void add_sync(OutBuffer& out);

// A Bind of a prepared statement to the unnamed portal, and its Execute: give it each of `count` parameters,
// then let it go.
class BindWriter {
 public:
  BindWriter(OutBuffer& out, std::string_view statement, std::size_t count);
  ~BindWriter();
  BindWriter(const BindWriter&) = delete;
  BindWriter& operator=(const BindWriter&) = delete;

  BindWriter& parameter(std::string_view value) {
    out_.add_int32(value.size()).add(value);
    return *this;
  }
  BindWriter& parameter(int64_t value);

 private:
  OutBuffer& out_;
  std::size_t length_at_;
};

struct Message {
  char type = 0;
  std::string_view content;
};

// Takes the message at the front of `received` off it; nullopt where it is not all there.
std::optional<Message> take_message(std::string_view& received);

// The values of a DataRow; null and empty are not told apart.
std::vector<std::string_view> columns_of(std::string_view data_row);

// The severity, code and text of an ErrorResponse.
std::string error_text(std::string_view content);

}  // namespace waybill::load::postgres
