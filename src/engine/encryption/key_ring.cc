#include "engine/encryption/key_ring.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "engine/encryption/hex.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::size_t keys_max = 16;
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view separators = " \t\r\n,";
constexpr const char* how_to_make = "make one with: openssl rand -hex 32";

// 32 bytes in base64, with or without the '=' at the end.
bool from_base64(std::string_view text, Secret& secret) {
  constexpr std::size_t digits = 43;
  if (text.size() == digits + 1 && text.back() == '=') {
    text.remove_suffix(1);
  }
  if (text.size() != digits || text.find_first_not_of(base64_digits) != std::string_view::npos) {
    return false;
  }
  std::array<unsigned char, digits + 1> padded{};
  std::memcpy(padded.data(), text.data(), digits);
  padded[digits] = '=';
  std::array<unsigned char, key_bytes + 1> decoded{};  // the library writes whole groups of three
  const int count = ::EVP_DecodeBlock(decoded.data(), padded.data(), static_cast<int>(padded.size()));
  std::memcpy(secret.data(), decoded.data(), key_bytes);
  wipe(padded.data(), padded.size());
  wipe(decoded.data(), decoded.size());
  return count == static_cast<int>(decoded.size());
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

// A file of 32 bytes that is a key as it is. One in which all can be typed is something else cut short, such
// as 16 bytes in hexadecimal, and far easier to guess.
std::optional<Secret> whole_key(std::string_view text) {
  if (text.size() != key_bytes || is_text(text)) {
    return std::nullopt;
  }
  Secret secret;
  std::memcpy(secret.data(), text.data(), key_bytes);
  return secret;
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line.substr(0, line.find('#'));
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
  const auto word = line.substr(0, line.find_first_of(separators));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

Result<KeyRing> KeyRing::parse(std::string_view text) {
  KeyRing ring;
  if (auto whole = whole_key(text)) {
    ring.keys_.emplace_back(*std::move(whole));
    return ring;
  }
  for (int line_number = 1; !text.empty(); ++line_number) {
    auto line = next_line(text);
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::string where = "line " + std::to_string(line_number);
      Secret secret;
      if (!from_hex(word, secret.data(), key_bytes) && !from_base64(word, secret)) {
        return invalid(where + " is not a key of 32 bytes in hexadecimal or base64; " + how_to_make);
      }
      MasterKey key(std::move(secret));
      if (ring.find(key.id) != nullptr) {
        return invalid(where + " holds key " + key.id.text() + " a second time");
      }
      if (ring.keys_.size() == keys_max) {
        return invalid("there are more than " + std::to_string(keys_max) + " keys");
      }
      ring.keys_.push_back(std::move(key));
    }
  }
  if (ring.keys_.empty()) {
    return invalid(std::string("there is no key; ") + how_to_make);
  }
  return ring;
}

const MasterKey* KeyRing::find(const KeyId& id) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const auto& key) { return key.id == id; });
  return found == keys_.end() ? nullptr : &*found;
}

std::string KeyRing::ids() const {
  std::string text;
  for (const auto& key : keys_) {
    text += (text.empty() ? "" : ", ") + key.id.text();
  }
  return text;
}

}  // namespace waybill::engine::encryption
