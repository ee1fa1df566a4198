#include "text/decoder.h"
#include "text/refusal.h"
#include "text/utf8_walk.h"

namespace waybill::text {

namespace {

uint32_t load(const char* bytes, std::size_t count, ByteOrder order) {
  uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = order == ByteOrder::big ? i : count - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[at]);
  }
  return value;
}

bool is_high_surrogate(uint32_t c) {
  return c >= 0xd800 && c < 0xdc00;
}
bool is_low_surrogate(uint32_t c) {
  return c >= 0xdc00 && c < 0xe000;
}

// Characters of two or four bytes each.
class WideDecoder : public Decoder {
 public:
  WideDecoder(std::string name, ByteOrder order, uint64_t offset)
      : order_(order), name_(std::move(name)), offset_(offset) {}

  Status decode(std::string_view bytes, std::string& out) final {
    unread_.append(bytes);
    std::string_view rest = unread_;
    while (true) {
      char32_t c = 0;
      const std::size_t length = read(rest, c);
      if (length == 0) {
        break;
      }
      if (c == wrong) {
        return refuse_bytes(name_, offset_);
      }
      if (c == 0) {
        return refuse_binary(offset_);
      }
      append_utf8(out, c);
      offset_ += length;
      rest.remove_prefix(length);
    }
    unread_.erase(0, unread_.size() - rest.size());
    return {};
  }

  Status finish(std::string& /*out*/) final {
    return unread_.empty() ? Status() : Status(refuse_cut_short(name_, offset_));
  }

 protected:
  static constexpr char32_t wrong = 0x110000;

  // The first character, or `wrong`, and how many bytes it has: 0 where more are needed to tell.
  virtual std::size_t read(std::string_view bytes, char32_t& c) const = 0;

  const ByteOrder order_;

 private:
  const std::string name_;
  uint64_t offset_;     // of unread_
  std::string unread_;  // the beginning of a character
};

class Utf16Decoder final : public WideDecoder {
 public:
  Utf16Decoder(ByteOrder order, uint64_t offset)
      : WideDecoder(order == ByteOrder::big ? "UTF-16BE" : "UTF-16LE", order, offset) {}

 protected:
  std::size_t read(std::string_view bytes, char32_t& c) const override {
    if (bytes.size() < 2) {
      return 0;
    }
    const uint32_t unit = load(bytes.data(), 2, order_);
    c = is_low_surrogate(unit) ? wrong : unit;
    if (!is_high_surrogate(unit)) {
      return 2;
    }
    if (bytes.size() < 4) {
      return 0;
    }
    const uint32_t second = load(bytes.data() + 2, 2, order_);
    c = is_low_surrogate(second) ? 0x10000 + ((unit & 0x3ff) << 10 | (second & 0x3ff)) : wrong;
    return 4;
  }
};

class Utf32Decoder final : public WideDecoder {
 public:
  Utf32Decoder(ByteOrder order, uint64_t offset)
      : WideDecoder(order == ByteOrder::big ? "UTF-32BE" : "UTF-32LE", order, offset) {}

 protected:
  std::size_t read(std::string_view bytes, char32_t& c) const override {
    if (bytes.size() < 4) {
      return 0;
    }
    c = load(bytes.data(), 4, order_);
    if (c > 0x10ffff || is_high_surrogate(c) || is_low_surrogate(c)) {
      c = wrong;
    }
    return 4;
  }
};

}  // namespace

std::unique_ptr<Decoder> make_utf16_decoder(ByteOrder order, uint64_t offset) {
  return std::make_unique<Utf16Decoder>(order, offset);
}

std::unique_ptr<Decoder> make_utf32_decoder(ByteOrder order, uint64_t offset) {
  return std::make_unique<Utf32Decoder>(order, offset);
}

}  // namespace waybill::text
