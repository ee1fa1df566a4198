#include "intake/json_value.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "item/number.h"
#include "item/value.h"

namespace waybill::intake {
namespace {

// The parser behind base/json.h keeps numbers as doubles; columns of numbers have more digits.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Status read(std::string& out) {
    WAYBILL_TRY(value(out, 1));
    skip_space();
    return rest_.empty() ? Status() : no_json();
  }

 private:
  static Error no_json() { return invalid("it is no JSON"); }

  void skip_space() {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(begin, rest_.size()));
  }

  bool take(std::string_view wanted) {
    const bool found = rest_.starts_with(wanted);
    rest_.remove_prefix(found ? wanted.size() : 0);
    return found;
  }

  bool take_sign(std::string_view wanted) {
    skip_space();
    return take(wanted);
  }

  Status value(std::string& out, int level) {
    if (level > item::nesting_levels_max) {
      return item::nested_too_deep();
    }
    skip_space();
    if (take("{")) {
      return object(out, level);
    }
    if (take("[")) {
      return array(out, level);
    }
    if (rest_.starts_with('"')) {
      WAYBILL_TRY_ASSIGN(const auto text, string());
      item::append_scalar(out, item::Type::string, text);
      return {};
    }
    if (take("null")) {
      item::append_null(out);
      return {};
    }
    const bool is_true = take("true");
    if (is_true || take("false")) {
      item::append_boolean(out, is_true);
      return {};
    }
    return number(out);
  }

  Status object(std::string& out, int level) {
    std::vector<std::pair<std::string, std::string>> members;
    if (!take_sign("}")) {
      do {
        skip_space();
        WAYBILL_TRY_ASSIGN(auto name, string());
        if (!take_sign(":")) {
          return no_json();
        }
        std::string encoded;
        WAYBILL_TRY(value(encoded, level + 1));
        std::erase_if(members, [&](const auto& member) { return member.first == name; });
        members.emplace_back(std::move(name), std::move(encoded));
      } while (take_sign(","));
      if (!take("}")) {
        return no_json();
      }
    }
    const auto mark = item::open_container(out, item::Type::map);
    for (const auto& [name, encoded] : members) {
      item::append_name(out, name);
      out += encoded;
    }
    item::close_container(out, mark);
    return {};
  }

  Status array(std::string& out, int level) {
    const auto mark = item::open_container(out, item::Type::list);
    if (!take_sign("]")) {
      do {
        WAYBILL_TRY(value(out, level + 1));
      } while (take_sign(","));
      if (!take("]")) {
        return no_json();
      }
    }
    item::close_container(out, mark);
    return {};
  }

  Status number(std::string& out) {
    const std::size_t length = std::min(rest_.find_first_not_of("+-.0123456789eE"), rest_.size());
    const auto parsed = item::Decimal::parse(rest_.substr(0, length));
    if (length == 0 || !parsed) {
      return length == 0 ? no_json() : parsed.error();
    }
    rest_.remove_prefix(length);
    std::string normal;
    parsed->append_text(normal);
    item::append_scalar(out, item::Type::number, normal);
    return {};
  }

  std::optional<uint32_t> hex4() {
    uint32_t code = 0;
    if (rest_.size() < 4) {
      return {};
    }
    for (const char c : rest_.substr(0, 4)) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) {
        return {};
      }
      code = code << 4U | static_cast<uint32_t>(digit);
    }
    rest_.remove_prefix(4);
    return code;
  }

  static void append_utf8(std::string& out, uint32_t code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0U | code >> 6U);
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0U | code >> 12U);
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xF0U | code >> 18U);
      tail(12);
      tail(6);
      tail(0);
    }
  }

  // What stands behind "\u".
  Status append_code(std::string& out) {
    auto code = hex4();
    const bool is_high = code && *code >= 0xD800 && *code < 0xDC00;
    if (is_high) {
      const auto low = take("\\u") ? hex4() : std::nullopt;
      const bool is_pair = low && *low >= 0xDC00 && *low < 0xE000;
      code = is_pair ? std::optional(0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00)) : std::nullopt;
    }
    if (!code || (*code >= 0xD800 && *code < 0xE000)) {
      return no_json();
    }
    append_utf8(out, *code);
    return {};
  }

  Status append_escaped(std::string& out) {
    constexpr std::string_view signs = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (take("u")) {
      return append_code(out);
    }
    const std::size_t at = rest_.empty() ? std::string_view::npos : signs.find(rest_.front());
    if (at == std::string_view::npos) {
      return no_json();
    }
    out += meant[at];
    rest_.remove_prefix(1);
    return {};
  }

  Result<std::string> string() {
    std::string text;
    if (!take("\"")) {
      return no_json();
    }
    while (!take("\"")) {
      const std::size_t plain = std::min(rest_.find_first_of("\"\\"), rest_.size());
      text += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (rest_.empty()) {
        return no_json();
      }
      if (take("\\")) {
        WAYBILL_TRY(append_escaped(text));
      }
    }
    return text;
  }

  std::string_view rest_;
};

}  // namespace

Status append_json_value(std::string& out, std::string_view text) {
  if (!is_utf8(text)) {
    return invalid("it is no UTF-8");
  }
  return Reader(text).read(out);
}

}  // namespace waybill::intake
