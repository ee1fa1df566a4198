// links: asset
// Pictures and meshes from outside: nothing of them can break their readers, and what is accepted can be
// worked with.
#include <libdeflate.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "asset/decimate.h"
#include "asset/glb_reader.h"
#include "asset/glb_writer.h"
#include "asset/parameters.h"
#include "asset/png_reader.h"
#include "asset/png_writer.h"
#include "asset/skeleton.h"
#include "base/bytes.h"
#include "base/check.h"

using namespace waybill;

namespace {

// Chance would never find a checksum: they are put right.
std::string with_checksums(std::string_view bytes) {
  constexpr std::size_t signature_bytes = 8;
  std::string file(bytes);
  for (std::size_t at = signature_bytes; at + 12 <= file.size();) {
    const std::size_t length = load_u32_be(file.data() + at);
    if (length > file.size() - at - 12) {
      break;
    }
    store_u32_be(file.data() + at + 8 + length, libdeflate_crc32(0, file.data() + at + 4, length + 4));
    at += 12 + length;
  }
  return file;
}

void use_model(asset::ReadModel& read) {
  static_cast<void>(asset::decimate(read.model.mesh, {}).has_value());
  asset::fit_skeleton(read.model, 3);
  WAYBILL_CHECK(asset::read_glb(asset::write_glb(read.model)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto read = asset::read_glb(bytes)) {
    use_model(*read);
  }
  if (const auto image = asset::read_png(with_checksums(bytes)); image && image->pixels() < 4096) {
    const auto back = asset::read_png(asset::write_png(*image));
    WAYBILL_CHECK(back && back->rgba == image->rgba);
  }
  if (auto parameters = asset::Parameters::read(bytes)) {
    parameters->whole("a", {.fallback = 1, .least = 0, .most = 10});
    static_cast<void>(parameters->finish().has_value());
  }
  return 0;
}
