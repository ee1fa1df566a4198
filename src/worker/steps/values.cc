#include "worker/steps/values.h"

#include <charconv>
#include <utility>

#include "http/uri.h"
#include "worker/json_text.h"

namespace waybill::worker::steps {
namespace {

std::string_view cut_word(std::string_view& path) {
  const auto dot = std::min(path.find('.'), path.size());
  const auto word = path.substr(0, dot);
  path.remove_prefix(std::min(dot + 1, path.size()));
  return word;
}

std::optional<json::Value> element(const json::Value& array, std::string_view word) {
  std::size_t wanted = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), wanted);
  if (problem != std::errc() || end != word.data() + word.size() || wanted >= array.size()) {
    return {};
  }
  json::Elements each(array);
  for (std::size_t at = 0; each.next(); ++at) {
    if (at == wanted) {
      return each.value();
    }
  }
  return {};
}

std::optional<json::Value> descend(json::Value at, std::string_view path) {
  while (!path.empty()) {
    const auto word = cut_word(path);
    const auto next = at.is_object() ? at.find(word) : at.is_array() ? element(at, word) : std::nullopt;
    if (!next) {
      return {};
    }
    at = *next;
  }
  return at;
}

std::string text_of(const json::Value& value) {
  if (value.is_string()) {
    return std::string(value.string());
  }
  std::string text;
  append_json(text, value);
  return text;
}

}  // namespace

Values::Values(const json::Value& job, Variable variable) : job_(job), variable_(std::move(variable)) {}

Result<Values::DocumentPtr> Values::read(std::string_view text) {
  auto document = std::make_unique<Document>();
  WAYBILL_TRY_ASSIGN(document->root, document->parser.parse_copy(text));
  return document;
}

Status Values::add_step(const std::string& name, std::string_view output) {
  WAYBILL_TRY_ASSIGN(steps_[name], read(output));
  return {};
}

Status Values::set_output(std::string_view output) {
  WAYBILL_TRY_ASSIGN(output_, read(output));
  return {};
}

std::optional<json::Value> Values::find(std::string_view path) const {
  const auto root = cut_word(path);
  if (root == "job") {
    return descend(job_, path);
  }
  if (root == "output" && output_ != nullptr) {
    return descend(output_->root, path);
  }
  if (root != "steps") {
    return {};
  }
  const auto step = cut_word(path);
  if (const auto found = steps_.find(step); found != steps_.end()) {
    return descend(found->second->root, path);
  }
  const auto earlier = job_.find("step_outputs");
  const auto output = earlier && earlier->is_object() ? earlier->find(step) : std::nullopt;
  return output ? descend(*output, path) : std::nullopt;
}

Result<std::string> Values::part_text(const Pattern::Part& part, Form form) const {
  if (part.kind == Pattern::Kind::text) {
    return part.text;
  }
  if (part.kind == Pattern::Kind::variable) {
    auto value = variable_(part.text);
    if (!value) {
      return invalid("the variable " + part.text + " is not set where the worker runs");
    }
    return *std::move(value);
  }
  const auto value = find(part.text);
  if (!value || value->is_null()) {
    return invalid("there is no value {" + part.text + "}");
  }
  auto text = text_of(*value);
  if (form == Form::plain) {
    return text;
  }
  // As a part of a path these would lead elsewhere, also when encoded.
  if (text.empty() || text == "." || text == "..") {
    return invalid("the value {" + part.text + "} cannot be a part of a URL: it is empty, or dots");
  }
  std::string encoded;
  http::append_uri_encoded(encoded, text, false);
  return encoded;
}

Result<std::string> Values::text(const Pattern& pattern, Form form) const {
  std::string all;
  for (const auto& part : pattern.parts()) {
    WAYBILL_TRY_ASSIGN(const auto text, part_text(part, form));
    all += text;
  }
  return all;
}

}  // namespace waybill::worker::steps
