#include "queue/receipt.h"

#include <utility>

#include "base/bytes.h"

namespace waybill::queue {
namespace {

constexpr char receipt_version = 1;
constexpr std::size_t fixed_bytes = 1 + sizeof(uint32_t) + 2 * sizeof(uint64_t);

}  // namespace

std::string encode(const Receipt& receipt) {
  std::string bytes;
  bytes.reserve(fixed_bytes + receipt.group.size());
  bytes.push_back(receipt_version);
  append_u32_be(bytes, receipt.space);
  append_u64_be(bytes, receipt.sequence);
  append_u64_be(bytes, receipt.token);
  bytes.append(receipt.group);
  std::string handle;
  append_base64(handle, bytes);
  return handle;
}

std::optional<Receipt> decode_receipt(std::string_view handle) {
  const auto bytes = decode_base64(handle);
  if (!bytes || bytes->size() < fixed_bytes || bytes->front() != receipt_version) {
    return std::nullopt;
  }
  const char* at = bytes->data() + 1;
  Receipt receipt;
  receipt.space = load_u32_be(at);
  receipt.sequence = load_u64_be(at + sizeof(uint32_t));
  receipt.token = load_u64_be(at + sizeof(uint32_t) + sizeof(uint64_t));
  receipt.group = bytes->substr(fixed_bytes);
  // No receive has the token 0: by it the store itself names messages that nobody holds.
  return receipt.token == 0 ? std::nullopt : std::optional(std::move(receipt));
}

}  // namespace waybill::queue
