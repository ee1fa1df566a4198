#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_tape.h"
#include "base/result.h"

// Reading and writing JSON. The parser behind it stays in json.cc: its header is heavy.
namespace waybill::json {

enum class Type : unsigned char { null, boolean, number, string, array, object };

// How many bytes must be readable behind a text that is handed to Parser::parse.
inline constexpr std::size_t padding_bytes = 64;

// One value of a parsed document: two words, copied freely, valid as long as the document is.
class Value {
 public:
  Value() = default;

  Type type() const;
  bool is_null() const { return kind() == tape::null_kind; }
  bool is_string() const { return kind() == tape::string_kind; }
  bool is_object() const { return kind() == tape::object_kind; }
  bool is_array() const { return kind() == tape::array_kind; }

  bool boolean() const { return kind() == tape::true_kind; }  // of a boolean
  double number() const;                                      // of a number

  // Of a string: its text, unescaped; lives as long as the document.
  std::string_view string() const { return tape::string_of(*document_, *at_); }

  // Of a number: its value where it is a whole number that fits; nullopt otherwise.
  std::optional<int64_t> integer() const;

  // Of an object: the member of that name; the last one where several are.
  std::optional<Value> find(std::string_view key) const;

  std::size_t size() const { return tape::count_of(*at_); }  // of an array or object

 private:
  friend class Parser;
  friend class Members;
  friend class Elements;

  Value(const tape::Document* document, const tape::Word* at) : document_(document), at_(at) {}
  char kind() const { return tape::kind_of(*at_); }

  const tape::Document* document_ = nullptr;
  const tape::Word* at_ = nullptr;
};

// Walks the members of an object: while (members.next()) use(members.key(), members.value()).
class Members {
 public:
  explicit Members(const Value& object)
      : value_(object.document_, nullptr),
        at_(object.at_ + 1),
        end_(tape::end_of(*object.document_, *object.at_) - 1) {}

  bool next() {
    if (at_ >= end_) {
      return false;
    }
    key_ = *at_;
    value_.at_ = at_ + 1;
    at_ = tape::behind(*value_.document_, at_ + 1);
    return true;
  }

  std::string_view key() const { return tape::string_of(*value_.document_, key_); }
  const Value& value() const { return value_; }

 private:
  Value value_;
  const tape::Word* at_;
  const tape::Word* end_;
  tape::Word key_ = 0;
};

// Walks the elements of an array.
class Elements {
 public:
  explicit Elements(const Value& array)
      : value_(array.document_, nullptr),
        at_(array.at_ + 1),
        end_(tape::end_of(*array.document_, *array.at_) - 1) {}

  bool next() {
    if (at_ >= end_) {
      return false;
    }
    value_.at_ = at_;
    at_ = tape::behind(*value_.document_, at_);
    return true;
  }

  const Value& value() const { return value_; }

 private:
  Value value_;
  const tape::Word* at_;
  const tape::Word* end_;
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
