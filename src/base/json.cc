#include "base/json.h"

#include <simdjson.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text_buffer.h"

namespace waybill::json {

namespace dom = simdjson::dom;

namespace {

using simdjson::internal::tape_type;
static_assert(tape::null_kind == static_cast<char>(tape_type::NULL_VALUE));
static_assert(tape::true_kind == static_cast<char>(tape_type::TRUE_VALUE));
static_assert(tape::false_kind == static_cast<char>(tape_type::FALSE_VALUE));
static_assert(tape::string_kind == static_cast<char>(tape_type::STRING));
static_assert(tape::int64_kind == static_cast<char>(tape_type::INT64));
static_assert(tape::uint64_kind == static_cast<char>(tape_type::UINT64));
static_assert(tape::double_kind == static_cast<char>(tape_type::DOUBLE));
static_assert(tape::array_kind == static_cast<char>(tape_type::START_ARRAY));
static_assert(tape::object_kind == static_cast<char>(tape_type::START_OBJECT));
static_assert(tape::payload_mask == simdjson::internal::JSON_VALUE_MASK);
static_assert(tape::count_mask == simdjson::internal::JSON_COUNT_MASK);
static_assert(std::is_same_v<decltype(dom::document::tape), std::unique_ptr<tape::Word[]>>);
static_assert(std::is_same_v<decltype(dom::document::string_buf), std::unique_ptr<uint8_t[]>>);

// The word behind a number's first one, which holds its value.
template <typename T>
T number_at(const tape::Word* at) {
  return std::bit_cast<T>(at[1]);
}

// Documents up to this size are parsed in memory that is kept; larger ones give theirs back.
constexpr std::size_t kept_bytes_max = 1 << 20;
constexpr std::size_t document_bytes_max = 64 << 20;
constexpr std::size_t depth_max = 1000;

}  // namespace

Type Value::type() const {
  switch (kind()) {
    case tape::true_kind:
    case tape::false_kind:
      return Type::boolean;
    case tape::string_kind:
      return Type::string;
    case tape::array_kind:
      return Type::array;
    case tape::object_kind:
      return Type::object;
    case tape::int64_kind:
    case tape::uint64_kind:
    case tape::double_kind:
      return Type::number;
    default:
      return Type::null;
  }
}

double Value::number() const {
  switch (kind()) {
    case tape::int64_kind:
      return static_cast<double>(number_at<int64_t>(at_));
    case tape::uint64_kind:
      return static_cast<double>(number_at<uint64_t>(at_));
    case tape::double_kind:
      return number_at<double>(at_);
    default:
      return 0;
  }
}

std::optional<int64_t> Value::integer() const {
  if (kind() == tape::int64_kind) {
    return number_at<int64_t>(at_);
  }
  const double real = number();
  if (std::abs(real) < 9e15 && std::trunc(real) == real) {
    return static_cast<int64_t>(real);
  }
  return std::nullopt;
}

std::optional<Value> Value::find(std::string_view key) const {
  const tape::Document document = *document_;
  const tape::Word* const end = tape::end_of(document, *at_) - 1;
  const tape::Word* found = nullptr;
  for (const tape::Word* at = at_ + 1; at < end; at = tape::behind(document, at + 1)) {
    if (tape::string_of(document, *at) == key) {
      found = at + 1;
    }
  }
  return found == nullptr ? std::nullopt : std::optional(Value(document_, found));
}

struct Parser::State {
  std::unique_ptr<dom::parser> parser = make();
  tape::Document document;

  static std::unique_ptr<dom::parser> make() {
    auto parser = std::make_unique<dom::parser>(document_bytes_max);
    // A failure to reserve shows again in parse().
    (void)parser->allocate(4096, depth_max);
    return parser;
  }
};

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;

Result<Value> Parser::parse(std::string_view text) {
  if (state_->parser->capacity() > kept_bytes_max && text.size() <= kept_bytes_max) {
    state_->parser = State::make();
  }
  const auto code = state_->parser
                        ->parse(reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                /*realloc_if_needed=*/false)
                        .error();
  if (code) {
    return Error{ErrorKind::malformed, {}, simdjson::error_message(code)};
  }
  const dom::document& document = state_->parser->doc;
  state_->document = {document.tape.get(), reinterpret_cast<const char*>(document.string_buf.get())};
  constexpr std::size_t root_index = 1;  // behind the word that tells where the document ends
  return Value(&state_->document, state_->document.words + root_index);
}

Result<Value> Parser::parse_copy(std::string_view text) {
  std::string padded;
  padded.reserve(text.size() + padding_bytes);
  padded = text;
  padded.append(padding_bytes, ' ');
  return parse(std::string_view(padded).substr(0, text.size()));
}

void append_string(std::string& out, std::string_view text) {
  TextBuffer(out).put_string(text);
}

void append_double(std::string& out, double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  const std::string_view written(text, static_cast<std::size_t>(end - text));
  out.append(written);
  if (written.find_first_of(".eEn") == std::string_view::npos) {
    out.append(".0");
  }
}

void Writer::separate() {
  if (comma_) {
    out_.push_back(',');
  }
  comma_ = true;
}

Writer& Writer::begin_object() {
  separate();
  out_.push_back('{');
  comma_ = false;
  return *this;
}

Writer& Writer::end_object() {
  out_.push_back('}');
  comma_ = true;
  return *this;
}

Writer& Writer::begin_array() {
  separate();
  out_.push_back('[');
  comma_ = false;
  return *this;
}

Writer& Writer::end_array() {
  out_.push_back(']');
  comma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  append_string(out_, name);
  out_.push_back(':');
  comma_ = false;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  separate();
  append_string(out_, text);
  return *this;
}

Writer& Writer::integer(int64_t value) {
  separate();
  char text[24];
  out_.append(text, std::to_chars(text, text + sizeof(text), value).ptr);
  return *this;
}

Writer& Writer::real(double value) {
  separate();
  append_double(out_, value);
  return *this;
}

Writer& Writer::boolean(bool value) {
  separate();
  out_.append(value ? "true" : "false");
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  separate();
  out_.append(json);
  return *this;
}

std::string& Writer::value_place() {
  separate();
  return out_;
}

}  // namespace waybill::json
