#include "media/encode.h"
#include "media/files.h"
#include "media/load.h"
#include "media/work.h"

namespace waybill::media {

namespace {

Result<Picture> write_webp(const Image& image, const ConvertTask& task, const Limits& limits,
                           OutputFile& file) {
  WAYBILL_TRY_ASSIGN(const auto encoded, encode(image, Format::webp, task.quality));
  WAYBILL_TRY(file.write(encoded.file.bytes(), limits.output_bytes_max));
  return encoded.picture;
}

}  // namespace

Result<Converted> convert(const ConvertTask& task, const Limits& limits, std::string_view part) {
  WAYBILL_TRY_ASSIGN(const auto loaded, load_file(task.input, limits));
  OutputFile image_file(task.image, part);
  OutputFile thumbnail_file(task.thumbnail, part);
  WAYBILL_TRY_ASSIGN(const auto image, write_webp(loaded.image, task, limits, image_file));
  WAYBILL_TRY_ASSIGN(const auto small, shrink_to(loaded.image, task.thumbnail_side_max));
  WAYBILL_TRY_ASSIGN(const auto thumbnail, write_webp(small, task, limits, thumbnail_file));
  // Both are written before the first is in place: Studio goes by that where a child dies between the two.
  WAYBILL_TRY(image_file.publish());
  if (auto published = thumbnail_file.publish(); !published) {
    image_file.withdraw();
    return std::move(published).error();
  }
  return Converted{loaded.original, image, thumbnail};
}

}  // namespace waybill::media
