#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// Reading and writing JSON. The parser behind it stays in json.cc: its header is heavy.
namespace waybill::json {

enum class Type : unsigned char { null, boolean, number, string, array, object };

// How many bytes must be readable behind a text that is handed to Parser::parse.
inline constexpr std::size_t padding_bytes = 64;

// One value of a parsed document: two words, copied freely, valid as long as the document is.
class Value {
 public:
  Type type() const;
  bool is_null() const { return type() == Type::null; }
  bool is_string() const { return type() == Type::string; }
  bool is_object() const { return type() == Type::object; }
  bool is_array() const { return type() == Type::array; }

  bool boolean() const;             // of a boolean
  std::string_view string() const;  // of a string, unescaped; lives as long as the document
  double number() const;            // of a number

  // Of a number: its value where it is a whole number that fits; nullopt otherwise.
  std::optional<int64_t> integer() const;

  // Of an object: the member of that name; the last one where several are.
  std::optional<Value> find(std::string_view key) const;

  std::size_t size() const;  // of an array or object

 private:
  friend class Parser;
  friend class Members;
  friend class Elements;
  alignas(8) std::byte element_[16];
};

// Walks the members of an object: while (members.next()) use(members.key(), members.value()).
class Members {
 public:
  explicit Members(const Value& object);
  bool next();
  std::string_view key() const { return key_; }
  const Value& value() const { return value_; }

 private:
  alignas(8) std::byte at_[16];
  alignas(8) std::byte end_[16];
  std::string_view key_;
  Value value_;
};

// Walks the elements of an array.
class Elements {
 public:
  explicit Elements(const Value& array);
  bool next();
  const Value& value() const { return value_; }

 private:
  alignas(8) std::byte at_[16];
  alignas(8) std::byte end_[16];
  Value value_;
};

// Holds one document at a time. Reuse it: its memory is kept from one document to the next.
//
// Thread safety: none. One parser per thread.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Parses `text`, behind which `padding_bytes` must be readable. Invalid UTF-8, unpaired surrogates,
  // numbers outside double's range and nesting over 1,000 levels are Errors of kind malformed.
  // The value and all that hangs from it live until the next call or the parser's end.
  Result<Value> parse(std::string_view text);

  // The same for a text without readable bytes behind it; copies.
  Result<Value> parse_copy(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Appends `text` as a JSON string, quotes included.
void append_string(std::string& out, std::string_view text);

// Appends a number in the shortest form that reads back the same; whole numbers keep a ".0", as AWS
// writes its capacity units.
void append_double(std::string& out, double value);

// Writes nested objects and arrays and sets the commas.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);
  Writer& string(std::string_view text);
  Writer& integer(int64_t value);
  Writer& real(double value);
  Writer& boolean(bool value);
  Writer& raw(std::string_view json);  // a complete value, written by somebody else

  // Where a value written by other means goes: call after key(), then append one value to out().
  std::string& value_place();

 private:
  void separate();

  std::string& out_;
  bool comma_ = false;
};

}  // namespace waybill::json
