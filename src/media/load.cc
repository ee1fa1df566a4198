#include "media/load.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "media/files.h"

namespace waybill::media {

namespace {

constexpr std::string_view is_broken = "the image is broken or cut off";

// Nothing is decoded yet. The bytes must stay until the image is in memory.
Result<Image> open_image(std::string_view bytes, Format format, int jpeg_shrink = 1) {
  void* data = const_cast<char*>(bytes.data());
  const auto open = [&](auto load, auto... more) {
    return make_image(is_broken, [&](VipsImage** out) {
      return load(data, bytes.size(), out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR,
                  more..., nullptr);
    });
  };
  switch (format) {
    case Format::jpeg:
      return open(vips().jpegload_buffer, "shrink", jpeg_shrink);
    case Format::png:
      return open(vips().pngload_buffer);
    case Format::webp:
      return open(vips().webpload_buffer);
    case Format::gif:
      return open(vips().gifload_buffer);
    case Format::avif:
      return open(vips().heifload_buffer);
  }
  return invalid(std::string(is_broken));
}

// The brands at the head of an AVIF file bind nobody: what is inside may be HEVC.
bool is_coded_as(const Image& image, std::string_view coding) {
  const char* compression = nullptr;
  if (vips().image_get_string(image.get(), "heif-compression", &compression) != 0) {
    vips().error_clear();
    return false;
  }
  return compression == coding;
}

Status check_size(Size size, const Limits& limits) {
  const int64_t pixels = int64_t{size.width} * size.height;
  const std::string is =
      "the image has " + std::to_string(size.width) + " by " + std::to_string(size.height) + " pixels, ";
  if (pixels > limits.pixels_max) {
    return Error{
        ErrorKind::too_large,
        is + "more than the " + std::to_string(limits.pixels_max) + " that are taken: make it smaller",
        {}};
  }
  if (std::max(size.width, size.height) > limits.side_pixels_max) {
    return Error{
        ErrorKind::too_large,
        is + "and no side may have more than " + std::to_string(limits.side_pixels_max) + ": make it smaller",
        {}};
  }
  return {};
}

// A block of 8 by 8 pixels takes at least one bit in a JPEG. libjpeg only warns where there are fewer, and
// goes on in gray for as many pixels as the header says.
Status check_jpeg_holds(Size size, std::size_t bytes) {
  constexpr int64_t pixels_of_a_byte_max = 512;
  if (int64_t{size.width} * size.height / pixels_of_a_byte_max > static_cast<int64_t>(bytes)) {
    return invalid("the image is broken: it says that it has " + std::to_string(size.width) + " by " +
                   std::to_string(size.height) + " pixels, which is more than its bytes can hold");
  }
  return {};
}

Size shown_size(const Image& image) {
  constexpr int first_on_its_side = 5;  // EXIF's 5 to 8
  const Size size = image.size();
  const bool on_its_side = vips().image_get_orientation(image.get()) >= first_on_its_side;
  return on_its_side ? Size{size.height, size.width} : size;
}

// Of 1, 2, 4 and 8, by which libjpeg shrinks for nothing, the largest that leaves enough.
int jpeg_shrink_for(Size size, int side_wanted) {
  int shrink = 1;
  while (side_wanted > 0 && shrink < 8 && std::min(size.width, size.height) / (shrink * 2) >= side_wanted) {
    shrink *= 2;
  }
  return shrink;
}

Result<Image> decode(const Image& opened) {
  WAYBILL_TRY_ASSIGN(const auto coloured, to_srgb(opened));
  WAYBILL_TRY_ASSIGN(auto image, in_memory(coloured));
  if (vips().image_get_orientation(image.get()) > 1) {
    WAYBILL_TRY_ASSIGN(const auto turned, upright(image));
    WAYBILL_TRY_ASSIGN(image, in_memory(turned));
  }
  remove_metadata(image);
  const bool is_plain =
      image.get()->BandFmt == VIPS_FORMAT_UCHAR && (image.bands() == 3 || image.bands() == 4);
  return is_plain ? Result<Image>(std::move(image))
                  : Result<Image>(invalid("the image has colors that are not known"));
}

}  // namespace

Result<Loaded> load(std::string_view bytes, const Limits& limits, LoadOptions options) {
  if (bytes.empty()) {
    return invalid("the file is empty");
  }
  const auto format = format_of(bytes);
  if (!format) {
    return Error{
        ErrorKind::unsupported, "the file is no image that is known: use JPEG, PNG, WebP, GIF or AVIF", {}};
  }
  WAYBILL_TRY_ASSIGN(auto opened, open_image(bytes, *format));
  if (*format == Format::avif && !is_coded_as(opened, "av1")) {
    return Error{ErrorKind::unsupported, "the file says that it is AVIF, but is coded otherwise", {}};
  }
  WAYBILL_TRY(check_size(opened.size(), limits));
  if (*format == Format::jpeg) {
    WAYBILL_TRY(check_jpeg_holds(opened.size(), bytes.size()));
  }
  const Size shown = shown_size(opened);
  const int shrink = *format == Format::jpeg ? jpeg_shrink_for(shown, options.side_wanted) : 1;
  if (shrink > 1) {
    WAYBILL_TRY_ASSIGN(opened, open_image(bytes, *format, shrink));
  }
  WAYBILL_TRY_ASSIGN(auto image, decode(opened));
  const Picture original{shown.width, shown.height, static_cast<int64_t>(bytes.size()), *format};
  return Loaded{std::move(image), original};
}

Result<Loaded> load_file(const std::string& path, const Limits& limits, LoadOptions options) {
  WAYBILL_TRY_ASSIGN(const auto bytes, read_input(path, limits.input_bytes_max));
  return load(bytes, limits, options);
}

}  // namespace waybill::media
