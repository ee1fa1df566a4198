#include "media/image.h"

#include <algorithm>
#include <array>

namespace waybill::media {

namespace {

constexpr std::string_view cannot_compute = "the image cannot be processed";
constexpr double opaque = 255;

// A profile that calls itself sRGB, in ASCII or UTF-16, is not worth a conversion.
bool is_srgb_profile(std::string_view profile) {
  using std::literals::operator""sv;
  return profile.find("sRGB"sv) != std::string_view::npos ||
         profile.find("s\0R\0G\0B"sv) != std::string_view::npos;
}

// A colour, as libvips wants it.
class Background {
 public:
  Background(const double* bands, int count) : array_(vips().array_double_new(bands, count)) {}
  ~Background() { vips().area_unref(VIPS_AREA(array_)); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  VipsArrayDouble* get() const { return array_; }

 private:
  VipsArrayDouble* array_;
};

struct Box {
  int left = 0;
  int top = 0;
  Size size;
};

Result<Box> content_of(const Image& flat) {
  constexpr double threshold = 10;
  double* corner = nullptr;
  int bands = 0;
  if (vips().getpoint(flat.get(), &corner, &bands, 0, 0, nullptr) != 0) {
    return vips_failure(cannot_compute);
  }
  const Background background(corner, bands);
  vips().free(corner);
  Box box;
  if (vips().find_trim(flat.get(), &box.left, &box.top, &box.size.width, &box.size.height, "background",
                       background.get(), "threshold", threshold, nullptr) != 0) {
    return vips_failure(cannot_compute);
  }
  const bool is_empty = box.size.width == 0 || box.size.height == 0;
  return is_empty ? Box{0, 0, flat.size()} : box;
}

bool has_other_profile(const Image& image) {
  if (vips().image_get_typeof(image.get(), VIPS_META_ICC_NAME) == 0) {
    return false;
  }
  const void* data = nullptr;
  std::size_t bytes = 0;
  if (vips().image_get_blob(image.get(), VIPS_META_ICC_NAME, &data, &bytes) != 0) {
    vips().error_clear();
    return false;
  }
  return !is_srgb_profile({static_cast<const char*>(data), bytes});
}

Result<Pixels> pixels_of(const Image& image) {
  WAYBILL_TRY_ASSIGN(const auto flat, without_alpha(image));
  std::size_t bytes = 0;
  void* data = vips().image_write_to_memory(flat.get(), &bytes);
  if (data == nullptr) {
    return vips_failure("the image is broken");
  }
  const auto* begin = static_cast<const uint8_t*>(data);
  Pixels pixels{flat.size().width, flat.size().height, {begin, begin + bytes}};
  vips().free(data);
  return pixels;
}

}  // namespace

Result<Image> in_memory(const Image& image) {
  VipsImage* copy = vips().image_copy_memory(image.get());
  if (copy == nullptr) {
    return vips_failure("the image is broken");
  }
  return Image(copy);
}

Result<Image> upright(const Image& image) {
  return make_image(cannot_compute,
                    [&](VipsImage** out) { return vips().autorot(image.get(), out, nullptr); });
}

Result<Image> to_srgb(const Image& image) {
  if (has_other_profile(image)) {
    auto converted = make_image(cannot_compute, [&](VipsImage** out) {
      return vips().icc_transform(image.get(), out, "srgb", "embedded", TRUE, nullptr);
    });
    if (converted) {
      return converted;
    }
    // A profile that cannot be used is no reason to refuse the picture.
  }
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().colourspace(image.get(), out, VIPS_INTERPRETATION_sRGB, nullptr);
  });
}

void remove_metadata(Image& image) {
  gchar** fields = vips().image_get_fields(image.get());
  for (gchar** field = fields; *field != nullptr; ++field) {
    // Goes into no file, and without it thumbnails take four times as long. Width, height and the like cannot
    // go.
    if (std::string_view(*field) != VIPS_META_SEQUENTIAL) {
      vips().image_remove(image.get(), *field);
    }
  }
  vips().free_texts(fields);
}

Result<Image> without_alpha(const Image& image) {
  // libvips would take the last band for alpha, whatever it is.
  if (!image.has_alpha()) {
    return image.share();
  }
  const std::array<double, 3> white = {255, 255, 255};
  const Background background(white.data(), static_cast<int>(white.size()));
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().flatten(image.get(), out, "background", background.get(), nullptr);
  });
}

Result<Image> shrink_to(const Image& image, int side_max) {
  const Size size = fit_within(image.size(), side_max);
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().thumbnail_image(image.get(), out, size.width, "height", size.height, "size",
                                  VIPS_SIZE_FORCE, "no_rotate", TRUE, nullptr);
  });
}

Result<Image> crop_to(const Image& image, Size size, VipsInteresting interesting) {
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().smartcrop(image.get(), out, size.width, size.height, "interesting", interesting, nullptr);
  });
}

Result<Image> without_borders(const Image& image) {
  WAYBILL_TRY_ASSIGN(const auto flat, without_alpha(image));
  WAYBILL_TRY_ASSIGN(const auto box, content_of(flat));
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().extract_area(image.get(), out, box.left, box.top, box.size.width, box.size.height, nullptr);
  });
}

Result<Image> with_levels(const Image& image, const Levels& levels) {
  const std::array<double, 4> scale = {levels.scale, levels.scale, levels.scale, 1};
  const std::array<double, 4> offset = {levels.offset, levels.offset, levels.offset, 0};
  return make_image(cannot_compute, [&](VipsImage** out) {
    return vips().linear(image.get(), out, scale.data(), offset.data(), image.bands(), "uchar", TRUE,
                         nullptr);
  });
}

Result<Image> sharpened(const Image& image) {
  return make_image(cannot_compute,
                    [&](VipsImage** out) { return vips().sharpen(image.get(), out, "sigma", 1.0, nullptr); });
}

Result<Pixels> small_copy(const Image& image, int side_max) {
  WAYBILL_TRY_ASSIGN(const auto small, shrink_to(image, side_max));
  return pixels_of(small);
}

Result<Pixels> points_of(const Image& image, int side_max) {
  const auto step = [side_max](int side) { return std::max(1, (side + side_max - 1) / side_max); };
  const Size size = image.size();
  const int across = std::min(step(size.width), size.width);
  const int down = std::min(step(size.height), size.height);
  WAYBILL_TRY_ASSIGN(const auto points, make_image(cannot_compute, [&](VipsImage** out) {
                       return vips().subsample(image.get(), out, across, down, "point", TRUE, nullptr);
                     }));
  return pixels_of(points);
}

Result<double> transparent_share(const Image& image) {
  if (!image.has_alpha()) {
    return 0.0;
  }
  WAYBILL_TRY_ASSIGN(const auto alpha, make_image(cannot_compute, [&](VipsImage** out) {
                       return vips().extract_band(image.get(), out, image.bands() - 1, nullptr);
                     }));
  double mean = 0;
  if (vips().avg(alpha.get(), &mean, nullptr) != 0) {
    return vips_failure(cannot_compute);
  }
  return std::clamp(1 - mean / opaque, 0.0, 1.0);
}

}  // namespace waybill::media
