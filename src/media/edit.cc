#include "media/encode.h"
#include "media/files.h"
#include "media/load.h"
#include "media/work.h"

namespace waybill::media {

namespace {

constexpr int sample_side_max = 512;

Result<Image> cropped(const Image& image, const EditTask& task) {
  if (task.crop == Crop::borders) {
    return without_borders(image);
  }
  const Ratio ratio = task.ratio.value_or(nearest_ratio(image.size()));
  const auto interesting =
      task.crop == Crop::attention ? VIPS_INTERESTING_ATTENTION : VIPS_INTERESTING_CENTRE;
  return crop_to(image, largest_within(image.size(), ratio), interesting);
}

Result<Image> levelled(Image image) {
  WAYBILL_TRY_ASSIGN(const auto points, points_of(image, sample_side_max));
  const Levels levels = auto_levels(points);
  return levels.change_nothing() ? Result<Image>(std::move(image)) : with_levels(image, levels);
}

Result<Image> edited(Image image, const EditTask& task) {
  if (task.crop != Crop::none) {
    WAYBILL_TRY_ASSIGN(image, cropped(image, task));
  }
  if (task.auto_levels) {
    WAYBILL_TRY_ASSIGN(image, levelled(std::move(image)));
  }
  if (task.sharpen) {
    WAYBILL_TRY_ASSIGN(image, sharpened(image));
  }
  return image;
}

}  // namespace

Result<Edited> edit(const EditTask& task, const Limits& limits, std::string_view part) {
  WAYBILL_TRY_ASSIGN(auto loaded, load_file(task.input, limits));
  WAYBILL_TRY_ASSIGN(const auto image, edited(std::move(loaded.image), task));
  WAYBILL_TRY_ASSIGN(const auto encoded, encode(image, task.format, task.quality));
  OutputFile file(task.output, part);
  WAYBILL_TRY(file.write(encoded.file.bytes(), limits.output_bytes_max));
  WAYBILL_TRY(file.publish());
  return Edited{loaded.original, encoded.picture};
}

}  // namespace waybill::media
