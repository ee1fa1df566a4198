#include "media/encode.h"

#include <algorithm>
#include <string>

#include "media/webp.h"

namespace waybill::media {

namespace {

constexpr int webp_side_max = 16'383;
constexpr int jpeg_side_max = 65'500;

Result<Blob> save(const Image& image, Format format, int quality) {
  void* data = nullptr;
  std::size_t bytes = 0;
  int failed = 0;
  if (format == Format::jpeg) {
    failed = vips().jpegsave_buffer(image.get(), &data, &bytes, "Q", quality, "optimize_coding", TRUE,
                                    "strip", TRUE, nullptr);
  } else if (format == Format::png) {
    failed = vips().pngsave_buffer(image.get(), &data, &bytes, "strip", TRUE, nullptr);
  } else {
    failed = vips().webpsave_buffer(image.get(), &data, &bytes, "Q", quality, "strip", TRUE, nullptr);
  }
  if (failed != 0) {
    return vips_failure("the image cannot be written as " + std::string(name_of(format)));
  }
  Blob file(data, bytes);
  if (format == Format::webp) {
    file.shorten(remove_webp_metadata(static_cast<char*>(data), bytes));
  }
  return file;
}

Result<Encoded> save_fitting(const Image& image, Format format, int quality) {
  WAYBILL_TRY_ASSIGN(auto file, save(image, format, quality));
  const Size size = image.size();
  const Picture picture{size.width, size.height, static_cast<int64_t>(file.bytes().size()), format};
  return Encoded{std::move(file), picture};
}

}  // namespace

Result<Encoded> encode(const Image& image, Format format, int quality) {
  const int side_max = format == Format::webp ? webp_side_max : jpeg_side_max;
  if (std::max(image.size().width, image.size().height) > side_max) {
    WAYBILL_TRY_ASSIGN(const auto smaller, shrink_to(image, side_max));
    return encode(smaller, format, quality);
  }
  if (format == Format::jpeg) {
    WAYBILL_TRY_ASSIGN(const auto flat, without_alpha(image));
    return save_fitting(flat, format, quality);
  }
  return save_fitting(image, format, quality);
}

}  // namespace waybill::media
