#include "intake/array_text.h"

#include <algorithm>

namespace waybill::intake {
namespace {

constexpr int depth_max = 6;  // PostgreSQL's own

Error no_array() {
  return invalid("it is no array");
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Result<ArrayNode> read() {
    if (rest_.starts_with('[')) {
      rest_.remove_prefix(std::min(rest_.find('='), rest_.size() - 1) + 1);
    }
    WAYBILL_TRY_ASSIGN(auto node, array(1));
    return rest_.empty() ? Result<ArrayNode>(std::move(node)) : no_array();
  }

 private:
  bool take(char wanted) {
    const bool found = rest_.starts_with(wanted);
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }

  Result<ArrayNode> array(int depth) {
    ArrayNode node;
    node.is_array = true;
    if (!take('{') || depth > depth_max) {
      return no_array();
    }
    if (take('}')) {
      return node;
    }
    do {
      WAYBILL_TRY_ASSIGN(auto inner, rest_.starts_with('{') ? array(depth + 1) : element());
      node.nodes.push_back(std::move(inner));
    } while (take(','));
    return take('}') ? Result<ArrayNode>(std::move(node)) : no_array();
  }

  Result<ArrayNode> element() {
    ArrayNode node;
    if (!take('"')) {
      const std::size_t end = std::min(rest_.find_first_of(",}"), rest_.size());
      node.text = rest_.substr(0, end);
      node.is_null = node.text == "NULL";
      rest_.remove_prefix(end);
      return node;
    }
    while (!take('"')) {
      take('\\');
      if (rest_.empty()) {
        return no_array();
      }
      node.text += rest_.front();
      rest_.remove_prefix(1);
    }
    return node;
  }

  std::string_view rest_;
};

}  // namespace

Result<ArrayNode> parse_array(std::string_view text) {
  return Reader(text).read();
}

std::string array_text(const std::vector<std::string>& elements) {
  std::string text = "{";
  for (const auto& element : elements) {
    text += text.size() == 1 ? "\"" : ",\"";
    for (const char c : element) {
      if (c == '"' || c == '\\') {
        text += '\\';
      }
      text += c;
    }
    text += '"';
  }
  return text + "}";
}

}  // namespace waybill::intake
