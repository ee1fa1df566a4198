#include "api/sqs/answer.h"

#include <charconv>
#include <utility>

#include "api/sqs/xml.h"
#include "base/bytes.h"
#include "base/json.h"

namespace waybill::api::sqs {
namespace {

void append_integer(std::string& out, int64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

Answer::Answer(Protocol protocol, std::size_t bytes_expected) : protocol_(protocol) {
  out_.reserve(bytes_expected);
  if (is_json()) {
    out_.push_back('{');
  }
}

void Answer::separate() {
  if (comma_) {
    out_.push_back(',');
  }
  comma_ = true;
}

// Names are those of the service, and need no escapes.
void Answer::begin_field(std::string_view name) {
  separate();
  out_.append("\"").append(name).append("\":");
}

void Answer::open(std::string_view element) {
  out_.append("<").append(element).append(">");
}

void Answer::close(std::string_view element) {
  out_.append("</").append(element).append(">");
}

Answer& Answer::text(std::string_view name, std::string_view value) {
  if (is_json()) {
    begin_field(name);
    json::append_string(out_, value);
  } else {
    append_xml_element(out_, name, value);
  }
  return *this;
}

Answer& Answer::integer(std::string_view name, int64_t value) {
  if (is_json()) {
    begin_field(name);
    append_integer(out_, value);
  } else {
    open(name);
    append_integer(out_, value);
    close(name);
  }
  return *this;
}

Answer& Answer::boolean(std::string_view name, bool value) {
  const std::string_view word = value ? "true" : "false";
  if (is_json()) {
    begin_field(name);
    out_.append(word);
  } else {
    append_xml_element(out_, name, word);
  }
  return *this;
}

Answer& Answer::bytes(std::string_view name, std::string_view value) {
  std::string encoded;
  append_base64(encoded, value);
  return text(name, encoded);
}

Answer& Answer::begin_list(const ListForm& form) {
  if (is_json()) {
    begin_field(form.json);
    out_.push_back('[');
    comma_ = false;
  }
  return *this;
}

Answer& Answer::begin_element(const ListForm& form) {
  if (is_json()) {
    separate();
    out_.push_back('{');
    comma_ = false;
  } else {
    open(form.xml);
  }
  return *this;
}

Answer& Answer::end_element(const ListForm& form) {
  if (is_json()) {
    out_.push_back('}');
    comma_ = true;
  } else {
    close(form.xml);
  }
  return *this;
}

Answer& Answer::end_list() {
  if (is_json()) {
    out_.push_back(']');
    comma_ = true;
  }
  return *this;
}

Answer& Answer::texts(const ListForm& form, const std::vector<std::string>& values) {
  if (values.empty()) {
    return *this;
  }
  begin_list(form);
  for (const auto& value : values) {
    if (is_json()) {
      separate();
      json::append_string(out_, value);
    } else {
      append_xml_element(out_, form.xml, value);
    }
  }
  return end_list();
}

Answer& Answer::begin_map(const MapForm& form) {
  if (is_json()) {
    begin_field(form.json);
    out_.push_back('{');
    comma_ = false;
  }
  return *this;
}

Answer& Answer::entry(const MapForm& form, std::string_view key, std::string_view value) {
  if (is_json()) {
    separate();
    json::append_string(out_, key);
    out_.push_back(':');
    json::append_string(out_, value);
  } else {
    open(form.xml);
    append_xml_element(out_, form.key, key);
    append_xml_element(out_, form.value, value);
    close(form.xml);
  }
  return *this;
}

Answer& Answer::begin_entry(const MapForm& form, std::string_view key) {
  if (is_json()) {
    separate();
    json::append_string(out_, key);
    out_.append(":{");
    comma_ = false;
  } else {
    open(form.xml);
    append_xml_element(out_, form.key, key);
    open(form.value);
  }
  return *this;
}

Answer& Answer::end_entry(const MapForm& form) {
  if (is_json()) {
    out_.push_back('}');
    comma_ = true;
  } else {
    close(form.value);
    close(form.xml);
  }
  return *this;
}

Answer& Answer::end_map() {
  if (is_json()) {
    out_.push_back('}');
    comma_ = true;
  }
  return *this;
}

Answer& Answer::map(const MapForm& form, const std::map<std::string, std::string>& values) {
  if (values.empty()) {
    return *this;
  }
  begin_map(form);
  for (const auto& [key, value] : values) {
    entry(form, key, value);
  }
  return end_map();
}

std::string Answer::take() && {
  if (is_json()) {
    out_.push_back('}');
  }
  return std::move(out_);
}

}  // namespace waybill::api::sqs
