#include "text/detect.h"

#include <uchardet.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "base/utf8.h"
#include "text/refusal.h"
#include "text/utf8_check.h"

namespace waybill::text {

namespace {

using Family = Encoding::Family;

// So many characters of UTF-8 with several bytes do not come about in another encoding.
constexpr std::size_t long_characters_enough = 8;
// In the right order of the bytes, more of a text is Latin by this factor: letters, spaces, line ends.
constexpr std::size_t latin_factor = 4;

struct Reading {
  bool is_text = true;
  std::size_t latin_units = 0;
};

bool is_text(UChar32 c) {
  const int8_t type = u_charType(c);
  const bool is_white = c >= 0x09 && c <= 0x0d;
  return type != U_UNASSIGNED && type != U_SURROGATE && type != U_PRIVATE_USE_CHAR &&
         (type != U_CONTROL_CHAR || is_white);
}

// The sample as UTF-16. A character that is cut off at its end is left out.
Reading read_utf16(std::string_view bytes, ByteOrder order) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<UChar32>(order == ByteOrder::big ? first << 8 | second : second << 8 | first);
  };
  Reading reading;
  for (std::size_t at = 0; at + 2 <= bytes.size() && reading.is_text; at += 2) {
    UChar32 c = unit(at);
    reading.latin_units += c < 0x100 ? 1 : 0;
    if (U16_IS_LEAD(c)) {
      if (at + 4 > bytes.size()) {
        break;
      }
      at += 2;
      c = U16_IS_TRAIL(unit(at)) ? static_cast<UChar32>(U16_GET_SUPPLEMENTARY(c, unit(at))) : 0;
    }
    reading.is_text = is_text(c);
  }
  return reading;
}

// What uchardet takes the bytes for; empty where it cannot tell.
std::string ask_uchardet(std::string_view bytes) {
  const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(), &uchardet_delete);
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) {
    return {};
  }
  uchardet_data_end(detector.get());
  return uchardet_get_charset(detector.get());
}

// Whether that is an answer. uchardet takes the first bytes for a byte order mark, which they are not: the
// sample begins within the text.
bool is_told(std::string_view charset) {
  return !charset.empty() && charset != "ASCII" && !charset.starts_with("UTF-16") &&
         !charset.starts_with("UTF-32") && !charset.starts_with("X-ISO-10646");
}

// ICU's converter for what uchardet names: the larger encoding where one is part of another, as browsers do.
std::string converter_name(const std::string& charset) {
  static constexpr std::array<std::array<std::string_view, 2>, 9> larger = {{
      {"ISO-8859-1", "windows-1252"},
      {"ISO-8859-9", "windows-1254"},
      {"ISO-8859-11", "windows-874"},
      {"TIS-620", "windows-874"},
      {"EUC-KR", "windows-949"},
      {"UHC", "windows-949"},
      {"SHIFT_JIS", "windows-31j"},
      {"MAC-CENTRALEUROPE", "x-mac-centraleurroman"},
      {"HZ-GB-2312", "HZ"},
  }};
  const auto* const found =
      std::find_if(larger.begin(), larger.end(), [&](const auto& pair) { return pair[0] == charset; });
  return found == larger.end() ? charset : std::string((*found)[1]);
}

}  // namespace

std::optional<ByteOrderMark> find_byte_order_mark(std::string_view beginning) {
  using namespace std::string_view_literals;
  if (beginning.starts_with("\xef\xbb\xbf"sv)) {
    return ByteOrderMark{{Family::utf8, ByteOrder::little, {}}, 3};
  }
  // Before UTF-16, whose mark its own begins with.
  if (beginning.starts_with("\xff\xfe\0\0"sv)) {
    return ByteOrderMark{{Family::utf32, ByteOrder::little, {}}, 4};
  }
  if (beginning.starts_with("\0\0\xfe\xff"sv)) {
    return ByteOrderMark{{Family::utf32, ByteOrder::big, {}}, 4};
  }
  if (beginning.starts_with("\xff\xfe"sv)) {
    return ByteOrderMark{{Family::utf16, ByteOrder::little, {}}, 2};
  }
  if (beginning.starts_with("\xfe\xff"sv)) {
    return ByteOrderMark{{Family::utf16, ByteOrder::big, {}}, 2};
  }
  return std::nullopt;
}

std::optional<Encoding> find_utf16(std::string_view beginning) {
  if (beginning.size() % 2 != 0 || beginning.find('\0') == std::string_view::npos) {
    return std::nullopt;
  }
  const Reading little = read_utf16(beginning, ByteOrder::little);
  const Reading big = read_utf16(beginning, ByteOrder::big);
  const auto is_clear = [](const Reading& one, const Reading& other) {
    return one.is_text && (!other.is_text || one.latin_units > latin_factor * other.latin_units);
  };
  if (is_clear(little, big)) {
    return Encoding{Family::utf16, ByteOrder::little, {}};
  }
  if (is_clear(big, little)) {
    return Encoding{Family::utf16, ByteOrder::big, {}};
  }
  return std::nullopt;
}

std::optional<Encoding> find_escaped(std::string_view beginning) {
  constexpr char escape = '\x1b';
  const bool is_ascii =
      std::none_of(beginning.begin(), beginning.end(), [](char c) { return (c & 0x80) != 0; });
  if (!is_ascii || beginning.find(escape) == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string charset = ask_uchardet(beginning);
  return charset.starts_with("ISO-2022-")
             ? std::optional(Encoding{Family::legacy, ByteOrder::little, charset})
             : std::nullopt;
}

Result<Encoding> choose_encoding(std::string_view sample, uint64_t offset, bool is_whole) {
  const std::size_t unfinished = is_whole ? 0 : unfinished_bytes(sample);
  const std::string_view finished = sample.substr(0, sample.size() - unfinished);
  if (is_utf8(finished) || utf8_prefix(finished).long_characters >= long_characters_enough) {
    return Encoding{};
  }
  const std::string charset = ask_uchardet(sample);
  if (!is_told(charset)) {
    return refuse_undecided(offset + utf8_prefix(finished).bytes);
  }
  if (charset == "UTF-8") {
    return Encoding{};
  }
  return Encoding{Family::legacy, ByteOrder::little, converter_name(charset)};
}

}  // namespace waybill::text
