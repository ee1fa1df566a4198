#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "media/format.h"

// What can be asked of images, and what is answered. Paths name files of the machine; inputs are left as they
// are.
//
// Of all tasks: EXIF orientation is applied; of animations the first frame is taken; colours become sRGB with
// 8 bits. Files that are written have pixels only: no EXIF, no GPS, no XMP, no comments, no colour profile.
// The same input gives the same output. Outputs are there whole when a task has succeeded, not synced, and
// replace what was there; a task that failed leaves nothing.
namespace waybill::media {

struct Picture {
  int64_t width = 0;  // as it is shown: after EXIF orientation
  int64_t height = 0;
  int64_t bytes = 0;  // of the file
  Format format = Format::jpeg;
};

// The two files that an image service keeps of an original.
struct ConvertTask {
  std::string input;
  std::string image;      // where the WebP goes. Sides over 16,383, which WebP cannot hold, shrink to that
  std::string thumbnail;  // where the small WebP goes; aspect kept, never larger than the original
  int quality = 85;       // 1 to 100, of both
  int thumbnail_side_max = 300;
};

struct Converted {
  Picture original;
  Picture image;
  Picture thumbnail;
};

struct AnalyseTask {
  std::string input;
};

struct Label {
  std::string name;
  double confidence = 0;  // 0.5 to 1, two digits
};

// Named as in the photo editor's records: "VERY_UNLIKELY" and so on.
enum class Likelihood : unsigned char { very_unlikely, unlikely, possible, likely, very_likely };

struct SafeSearch {
  Likelihood adult = Likelihood::very_unlikely;
  Likelihood violence = Likelihood::very_unlikely;
};

struct Analysis {
  std::vector<Label> labels;  // the surest first
  std::string description;    // a sentence or two
  SafeSearch safe_search;
  Picture original;
};

enum class Crop : unsigned char {
  none,
  borders,    // what is around the content in one colour goes
  attention,  // to `ratio`, around what draws the eye
  centre,     // to `ratio`, around the middle
};

// Width to height, "16:9".
struct Ratio {
  int width = 1;
  int height = 1;
};

struct EditTask {
  std::string input;
  std::string output;
  Format format = Format::jpeg;  // jpeg, png or webp. What is transparent becomes white in a jpeg
  int quality = 85;              // 1 to 100; a png has none
  bool auto_levels = true;
  Crop crop = Crop::attention;
  // Where none is given, the nearest of the common ones: 1:1, 5:4, 4:3, 3:2, 16:9, upright or not.
  std::optional<Ratio> ratio = std::nullopt;
  bool sharpen = true;
};

struct Edited {
  Picture original;
  Picture output;
};

}  // namespace waybill::media
