#include "api/sqs/form.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"
#include "http/uri.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t parameters_max = 2000;
constexpr std::size_t depth_max = 8;

// "Attribute.1.Name=x" as a tree: Attribute, then 1, then Name.
struct Node {
  std::optional<std::string> text;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;

  const Node* child(std::string_view name) const {
    const auto found = children.find(name);
    return found == children.end() ? nullptr : found->second.get();
  }
  std::string_view text_of(std::string_view name) const {
    const auto* found = child(name);
    return found != nullptr && found->text ? std::string_view(*found->text) : std::string_view();
  }
};

enum class Kind : unsigned char { text, integer, texts, text_map, structure_map, structures };

// What a parameter is in JSON.
struct Shape {
  std::string_view name;
  std::string_view json_name;
  Kind kind = Kind::text;
  std::string_view key = {};  // of maps: the field that names an entry
};

constexpr Shape shapes[] = {
    {"AWSAccountId", "AWSAccountIds", Kind::texts},
    {"ActionName", "Actions", Kind::texts},
    {"Attribute", "Attributes", Kind::text_map, "Name"},
    {"AttributeName", "AttributeNames", Kind::texts},
    {"BinaryListValue", "BinaryListValues", Kind::texts},
    {"ChangeMessageVisibilityBatchRequestEntry", "Entries", Kind::structures},
    {"DelaySeconds", "DelaySeconds", Kind::integer},
    {"DeleteMessageBatchRequestEntry", "Entries", Kind::structures},
    {"MaxNumberOfMessages", "MaxNumberOfMessages", Kind::integer},
    {"MaxNumberOfMessagesPerSecond", "MaxNumberOfMessagesPerSecond", Kind::integer},
    {"MaxResults", "MaxResults", Kind::integer},
    {"MessageAttribute", "MessageAttributes", Kind::structure_map, "Name"},
    {"MessageAttributeName", "MessageAttributeNames", Kind::texts},
    {"MessageSystemAttribute", "MessageSystemAttributes", Kind::structure_map, "Name"},
    {"MessageSystemAttributeName", "MessageSystemAttributeNames", Kind::texts},
    {"SendMessageBatchRequestEntry", "Entries", Kind::structures},
    {"StringListValue", "StringListValues", Kind::texts},
    {"Tag", "Tags", Kind::text_map, "Key"},
    {"TagKey", "TagKeys", Kind::texts},
    {"VisibilityTimeout", "VisibilityTimeout", Kind::integer},
    {"WaitTimeSeconds", "WaitTimeSeconds", Kind::integer},
};

Shape shape_of(std::string_view name) {
  const auto* found = std::ranges::find(shapes, name, &Shape::name);
  return found != std::end(shapes) ? *found : Shape{name, name};
}

// In forms a space is a plus.
std::string decoded(std::string_view text) {
  std::string with_spaces(text);
  std::ranges::replace(with_spaces, '+', ' ');
  return http::uri_decoded(with_spaces);
}

Status add_parameter(Node& root, std::string_view name, std::string value) {
  Node* node = &root;
  std::size_t depth = 0;
  while (true) {
    if (++depth > depth_max) {
      return Error{ErrorKind::malformed, "A parameter's name has too many parts.", {}};
    }
    const auto part = name.substr(0, name.find('.'));
    auto& child = node->children[std::string(part)];
    if (child == nullptr) {
      child = std::make_unique<Node>();
    }
    node = child.get();
    if (part.size() == name.size()) {
      node->text = std::move(value);
      return {};
    }
    name.remove_prefix(part.size() + 1);
  }
}

Status add_parameters(Node& root, std::string_view text, std::size_t& count) {
  std::string_view name;
  std::string_view value;
  while (http::next_query_parameter(text, name, value)) {
    if (++count > parameters_max) {
      return Error{ErrorKind::malformed, "The request has too many parameters.", {}};
    }
    WAYBILL_TRY(add_parameter(root, decoded(name), decoded(value)));
  }
  return {};
}

std::optional<int64_t> number_of(std::string_view text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// The numbered parts in their order. The number may be missing where there is one element only.
std::vector<const Node*> elements_of(const Node& node) {
  std::vector<std::pair<int64_t, const Node*>> numbered;
  for (const auto& [name, child] : node.children) {
    if (const auto number = number_of(name)) {
      numbered.emplace_back(*number, child.get());
    }
  }
  std::ranges::sort(numbered);
  std::vector<const Node*> elements;
  elements.reserve(numbered.size());
  for (const auto& [number, element] : numbered) {
    elements.push_back(element);
  }
  if (elements.empty()) {
    elements.push_back(&node);
  }
  return elements;
}

void append_structure(json::Writer& out, const Node& node);

void append_texts(json::Writer& out, const Node& node) {
  out.begin_array();
  for (const auto* element : elements_of(node)) {
    if (element->text) {
      out.string(*element->text);
    }
  }
  out.end_array();
}

void append_map(json::Writer& out, const Node& node, const Shape& shape) {
  out.begin_object();
  for (const auto* element : elements_of(node)) {
    out.key(element->text_of(shape.key));
    if (shape.kind == Kind::text_map) {
      out.string(element->text_of("Value"));
      continue;
    }
    static const Node nothing;
    const auto* value = element->child("Value");
    append_structure(out, value != nullptr ? *value : nothing);
  }
  out.end_object();
}

void append_structures(json::Writer& out, const Node& node) {
  out.begin_array();
  for (const auto* element : elements_of(node)) {
    append_structure(out, *element);
  }
  out.end_array();
}

void append_field(json::Writer& out, const Node& node, const Shape& shape) {
  switch (shape.kind) {
    case Kind::texts:
      return append_texts(out, node);
    case Kind::text_map:
    case Kind::structure_map:
      return append_map(out, node, shape);
    case Kind::structures:
      return append_structures(out, node);
    case Kind::integer:
      // What is no number is left to be refused as any other text in its place.
      if (const auto number = number_of(node.text.value_or(""))) {
        out.integer(*number);
        return;
      }
      [[fallthrough]];
    case Kind::text:
      out.string(node.text.value_or(""));
  }
}

void append_structure(json::Writer& out, const Node& node) {
  out.begin_object();
  for (const auto& [name, child] : node.children) {
    const auto shape = shape_of(name);
    out.key(shape.json_name);
    append_field(out, *child, shape);
  }
  out.end_object();
}

}  // namespace

Result<Form> read_form(std::string_view url_query, std::string_view body) {
  Node root;
  std::size_t count = 0;
  WAYBILL_TRY(add_parameters(root, url_query, count));
  WAYBILL_TRY(add_parameters(root, body, count));
  Form form;
  form.action = root.text_of("Action");
  json::Writer out(form.json);
  append_structure(out, root);
  return form;
}

}  // namespace waybill::api::sqs
