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

using Raw = std::array<std::byte, 16>;
static_assert(sizeof(dom::element) == sizeof(Raw));
static_assert(sizeof(dom::object::iterator) == sizeof(Raw));
static_assert(sizeof(dom::array::iterator) == sizeof(Raw));
static_assert(std::is_trivially_copyable_v<dom::element>);

template <typename T>
T load(const std::byte (&bytes)[16]) {
  T value;
  std::memcpy(static_cast<void*>(&value), bytes, sizeof(value));
  return value;
}

template <typename T>
void save(std::byte (&bytes)[16], const T& value) {
  std::memcpy(bytes, static_cast<const void*>(&value), sizeof(value));
}

// Documents up to this size are parsed in memory that is kept; larger ones give theirs back.
constexpr std::size_t kept_bytes_max = 1 << 20;
constexpr std::size_t document_bytes_max = 64 << 20;
constexpr std::size_t depth_max = 1000;

}  // namespace

Type Value::type() const {
  switch (load<dom::element>(element_).type()) {
    case dom::element_type::NULL_VALUE:
      return Type::null;
    case dom::element_type::BOOL:
      return Type::boolean;
    case dom::element_type::STRING:
      return Type::string;
    case dom::element_type::ARRAY:
      return Type::array;
    case dom::element_type::OBJECT:
      return Type::object;
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return Type::number;
  }
  return Type::null;
}

bool Value::boolean() const {
  return load<dom::element>(element_).get_bool().value_unsafe();
}

std::string_view Value::string() const {
  return load<dom::element>(element_).get_string().value_unsafe();
}

double Value::number() const {
  double value = 0;
  return load<dom::element>(element_).get_double().get(value) ? 0 : value;
}

std::optional<int64_t> Value::integer() const {
  int64_t value = 0;
  if (!load<dom::element>(element_).get_int64().get(value)) {
    return value;
  }
  const double real = number();
  if (std::abs(real) < 9e15 && std::trunc(real) == real) {
    return static_cast<int64_t>(real);
  }
  return std::nullopt;
}

std::optional<Value> Value::find(std::string_view key) const {
  std::optional<Value> found;
  for (Members members(*this); members.next();) {
    if (members.key() == key) {
      found = members.value();
    }
  }
  return found;
}

std::size_t Value::size() const {
  const auto element = load<dom::element>(element_);
  if (dom::object object; !element.get_object().get(object)) {
    return object.size();
  }
  return element.get_array().value_unsafe().size();
}

Members::Members(const Value& object) {
  const auto members = load<dom::element>(object.element_).get_object().value_unsafe();
  save(at_, members.begin());
  save(end_, members.end());
}

bool Members::next() {
  auto at = load<dom::object::iterator>(at_);
  if (!(at != load<dom::object::iterator>(end_))) {
    return false;
  }
  key_ = at.key();
  save(value_.element_, at.value());
  ++at;
  save(at_, at);
  return true;
}

Elements::Elements(const Value& array) {
  const auto elements = load<dom::element>(array.element_).get_array().value_unsafe();
  save(at_, elements.begin());
  save(end_, elements.end());
}

bool Elements::next() {
  auto at = load<dom::array::iterator>(at_);
  if (!(at != load<dom::array::iterator>(end_))) {
    return false;
  }
  save(value_.element_, *at);
  ++at;
  save(at_, at);
  return true;
}

struct Parser::State {
  std::unique_ptr<dom::parser> parser = make();

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
  dom::element root;
  const auto code = state_->parser
                        ->parse(reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                /*realloc_if_needed=*/false)
                        .get(root);
  if (code) {
    return Error{ErrorKind::malformed, {}, simdjson::error_message(code)};
  }
  Value value;
  save(value.element_, root);
  return value;
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
