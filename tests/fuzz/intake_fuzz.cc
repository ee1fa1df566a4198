// links: intake
//
// The first byte says what the rest is: a mapping's file, a progress, or the text of a column's value. What
// becomes of a value is a value: it can be written as JSON and hashed; and arrays that are printed are read
// back as they were.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "intake/array_text.h"
#include "intake/convert.h"
#include "intake/digest.h"
#include "intake/progress.h"
#include "intake/timestamp.h"
#include "item/json.h"

namespace {

using namespace waybill::intake;

void convert(std::string_view text) {
  for (int kind = 0; kind <= static_cast<int>(Kind::binary); ++kind) {
    const Conversion conversion{static_cast<Kind>(kind), Kind::number, Precision::microseconds};
    std::string encoded;
    const auto done = append_converted(encoded, conversion, text);
    if (done && *done) {
      std::string out;
      waybill::item::append_json(out, waybill::item::ValueView(encoded.data()));
      append_canonical(out, waybill::item::ValueView(encoded.data()));
    }
  }
  if (const auto us = parse_timestamp(text)) {
    const std::string iso = iso_text(*us, Precision::microseconds);
    WAYBILL_CHECK(!iso.starts_with('2') || iso.size() != 27 ||
                  parse_timestamp(iso.substr(0, iso.size() - 1)).value() == *us);
  }
  const auto array = parse_array(array_text({std::string(text), ""}));
  WAYBILL_CHECK(array && array->nodes.size() == 2 && array->nodes.front().text == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  constexpr std::size_t size_max = 16 * 1024;
  if (size == 0 || size > size_max) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'm') {
    waybill::contract::Problems problems;
    static_cast<void>(read_mapping(text, problems));
  } else if (data[0] == 'p') {
    if (const auto progress = parse_progress(text)) {
      WAYBILL_CHECK(parse_progress(progress_text(*progress)));
    }
  } else {
    convert(text);
  }
  return 0;
}
