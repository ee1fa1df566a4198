#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "media/crop.h"
#include "media/levels.h"
#include "media/pixels.h"
#include "media/vips.h"

namespace waybill::media {

// One reference to an image of libvips. Most operations on it are lazy: pixels are computed when somebody
// wants them.
class Image {
 public:
  explicit Image(VipsImage* image) : image_(image) {}
  ~Image() { reset(); }
  Image(Image&& other) noexcept : image_(std::exchange(other.image_, nullptr)) {}
  Image& operator=(Image&& other) noexcept {
    std::swap(image_, other.image_);
    return *this;
  }

  // Another reference to the same image.
  Image share() const {
    vips().object_ref(image_);
    return Image(image_);
  }

  VipsImage* get() const { return image_; }
  Size size() const { return {image_->Xsize, image_->Ysize}; }
  int bands() const { return image_->Bands; }
  bool has_alpha() const { return vips().image_hasalpha(image_) != 0; }

 private:
  void reset() {
    if (image_ != nullptr) {
      vips().object_unref(image_);
    }
  }

  VipsImage* image_;
};

// The image that `run` makes, which is called with the place for it and returns what libvips returned; else
// what libvips says, after `what`.
template <typename Run>
Result<Image> make_image(std::string_view what, Run&& run) {
  VipsImage* made = nullptr;
  if (run(&made) != 0) {
    return vips_failure(what);
  }
  return Image(made);
}

// All pixels computed now, in memory.
Result<Image> in_memory(const Image& image);

// Upright, as EXIF says; of an image in memory.
Result<Image> upright(const Image& image);

// 8 bits of sRGB, and alpha where there was some.
Result<Image> to_srgb(const Image& image);

// Takes everything off an image in memory that is not pixels: EXIF, GPS, XMP, profile, comments, count of
// frames. Saving without metadata is not enough: webpsave of libvips 8.14.1 writes EXIF all the same.
void remove_metadata(Image& image);

// On white, without alpha.
Result<Image> without_alpha(const Image& image);

// Aspect kept; never larger.
Result<Image> shrink_to(const Image& image, int side_max);

// What libvips finds most interesting, or the middle.
Result<Image> crop_to(const Image& image, Size size, VipsInteresting interesting);

// Without what lies around the content in the colour of the corner; all of it where nothing else is there.
Result<Image> without_borders(const Image& image);

// Alpha stays as it is.
Result<Image> with_levels(const Image& image, const Levels& levels);
Result<Image> sharpened(const Image& image);

// Shrunk to at most `side_max`, on white: for what the eye sees.
Result<Pixels> small_copy(const Image& image, int side_max);

// Single pixels of it, on white: extremes are not averaged away.
Result<Pixels> points_of(const Image& image, int side_max);

// How much of it is transparent, 0 to 1.
Result<double> transparent_share(const Image& image);

}  // namespace waybill::media
