#include "object/continuation_token.h"

#include "base/bytes.h"
#include "object/crc.h"
#include "object/names.h"

namespace waybill::object {
namespace {

constexpr char version = 1;
constexpr std::size_t head_bytes = 2;
constexpr std::size_t crc_bytes = 4;
constexpr std::size_t token_bytes_max = (head_bytes + key_bytes_max + crc_bytes + 2) / 3 * 4;

}  // namespace

std::string make_continuation_token(const ListPosition& position) {
  std::string bytes{version, static_cast<char>(position.kind)};
  bytes += position.text;
  append_u32_be(bytes, crc32c(0, bytes));
  std::string token;
  append_base64(token, bytes);
  return token;
}

Result<ListPosition> read_continuation_token(std::string_view token) {
  const Error wrong = invalid(
      "The continuation token provided is incorrect. Use the NextContinuationToken of the page before, "
      "unchanged.");
  if (token.size() > token_bytes_max) {
    return wrong;
  }
  const auto bytes = decode_base64(token);
  if (!bytes || bytes->size() <= head_bytes + crc_bytes) {
    return wrong;
  }
  const std::string_view checked(bytes->data(), bytes->size() - crc_bytes);
  const auto kind = static_cast<ListPosition::Kind>(checked[1]);
  const bool is_ours = load_u32_be(checked.data() + checked.size()) == crc32c(0, checked) &&
                       checked[0] == version &&
                       (kind == ListPosition::Kind::behind_key || kind == ListPosition::Kind::behind_prefix);
  return is_ours ? Result<ListPosition>(ListPosition{kind, std::string(checked.substr(head_bytes))})
                 : Result<ListPosition>(wrong);
}

}  // namespace waybill::object
