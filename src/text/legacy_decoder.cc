#include <unicode/ucnv.h>
#include <unicode/utf16.h>

#include <array>

#include "text/decoder.h"
#include "text/icu_problem.h"
#include "text/refusal.h"
#include "text/utf8_walk.h"

namespace waybill::text {

namespace {

constexpr int32_t units_of_step = 4096;

// Those that are in texts: white space, backspaces of manual pages, escapes of terminals, the end mark of
// DOS, and the line end of EBCDIC.
bool is_refused_control(char16_t c) {
  if (c >= 0x20 && c < 0x7f) {
    return false;
  }
  const bool is_text = (c >= 0x08 && c <= 0x0d) || c == 0x1a || c == 0x1b || c == 0x85;
  return c < 0xa0 && !is_text;
}

void append_utf16(std::string& out, std::u16string_view units) {
  for (std::size_t at = 0; at < units.size(); ++at) {
    char32_t c = units[at];
    if (U16_IS_LEAD(c) && at + 1 < units.size()) {
      c = U16_GET_SUPPLEMENTARY(c, units[at + 1]);
      ++at;
    }
    append_utf8(out, c);
  }
}

class LegacyDecoder final : public Decoder {
 public:
  LegacyDecoder(UConverter* converter, std::string name, uint64_t offset)
      : converter_(converter), name_(std::move(name)), offset_(offset) {}
  ~LegacyDecoder() override { ucnv_close(converter_); }
  LegacyDecoder(const LegacyDecoder&) = delete;
  LegacyDecoder& operator=(const LegacyDecoder&) = delete;

  Status decode(std::string_view bytes, std::string& out) override { return convert(bytes, out, false); }
  Status finish(std::string& out) override { return convert({}, out, true); }

 private:
  Status convert(std::string_view bytes, std::string& out, bool is_last) {
    units_.clear();
    const char* source = bytes.data();
    const char* const source_end = source + bytes.size();
    UErrorCode code = U_BUFFER_OVERFLOW_ERROR;
    while (code == U_BUFFER_OVERFLOW_ERROR) {
      const char* const from = source;
      std::array<char16_t, units_of_step> units;
      std::array<int32_t, units_of_step> places;
      char16_t* target = units.data();
      code = U_ZERO_ERROR;
      ucnv_toUnicode(converter_, &target, units.data() + units.size(), &source, source_end, places.data(),
                     static_cast<UBool>(is_last), &code);
      const auto count = static_cast<std::size_t>(target - units.data());
      for (std::size_t i = 0; i < count; ++i) {
        if (is_refused_control(units[i])) {
          return refuse_binary(offset_ + static_cast<uint64_t>(from - bytes.data() + std::max(places[i], 0)));
        }
      }
      units_.append(units.data(), count);
    }
    offset_ += static_cast<uint64_t>(source - bytes.data());
    if (U_FAILURE(code)) {
      return refusal(code);
    }
    append_utf16(out, units_);
    return {};
  }

  Error refusal(UErrorCode code) {
    std::array<char, 32> wrong;
    auto length = static_cast<int8_t>(wrong.size());
    UErrorCode asked = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter_, wrong.data(), &length, &asked);
    if (U_FAILURE(asked)) {
      return icu_problem("decode a text", code);
    }
    const uint64_t at = offset_ - std::min<uint64_t>(offset_, static_cast<uint64_t>(length));
    return code == U_TRUNCATED_CHAR_FOUND ? refuse_cut_short(name_, at) : refuse_bytes(name_, at);
  }

  UConverter* const converter_;
  const std::string name_;
  uint64_t offset_;  // of what has not been given to ICU
  std::u16string units_;
};

}  // namespace

Result<std::unique_ptr<Decoder>> open_legacy_decoder(const std::string& name, uint64_t offset) {
  UErrorCode code = U_ZERO_ERROR;
  UConverter* const converter = ucnv_open(name.c_str(), &code);
  if (U_FAILURE(code)) {
    return refuse_encoding(name, offset);
  }
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  auto decoder = std::make_unique<LegacyDecoder>(converter, name, offset);
  if (U_FAILURE(code)) {
    return icu_problem("set up a converter", code);
  }
  return std::unique_ptr<Decoder>(std::move(decoder));
}

}  // namespace waybill::text
