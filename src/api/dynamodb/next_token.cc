#include "api/dynamodb/next_token.h"

#include <utility>

#include "base/bytes.h"
#include "base/json.h"
#include "http/sha256.h"
#include "item/json.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t binding_bytes = 16;
constexpr int range_bytes_max = 3;  // no statement has room for more ranges

Error no_token() {
  return invalid("Invalid NextToken");
}

// The varint at the front of `bytes`, which is taken away; nullopt where there is none.
std::optional<std::size_t> take_range(std::string_view& bytes) {
  std::size_t range = 0;
  for (int i = 0; i < range_bytes_max && !bytes.empty(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    range |= static_cast<std::size_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      return range;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string statement_binding(std::string_view statement, std::string_view parameters) {
  std::string text(statement);
  text.push_back('\0');
  text.append(parameters);
  return std::string(http::bytes_of(http::sha256(text)).substr(0, binding_bytes));
}

std::string print_token(const NextToken& token, std::string_view binding) {
  std::string bytes(binding);
  append_varint(bytes, static_cast<uint32_t>(token.range));
  item::append_json(bytes, token.key.view());
  std::string text;
  append_base64(text, bytes);
  return text;
}

Result<NextToken> parse_token(std::string_view text, std::string_view binding) {
  const auto decoded = decode_base64(text);
  if (!decoded || decoded->size() < binding_bytes) {
    return no_token();
  }
  std::string_view bytes = *decoded;
  if (!bytes.starts_with(binding)) {
    return invalid("NextToken does not match request");
  }
  bytes.remove_prefix(binding_bytes);
  const auto range = take_range(bytes);
  json::Parser parser;
  const auto json = range ? parser.parse_copy(bytes) : Result<json::Value>(no_token());
  if (!json || !json->is_object()) {
    return no_token();
  }
  auto key = item::parse_item(*json);
  return key ? Result<NextToken>(NextToken{*range, *std::move(key)}) : no_token();
}

}  // namespace waybill::api::dynamodb
