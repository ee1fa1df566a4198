#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asset/parameters.h"
#include "asset/provider.h"
#include "base/result.h"

// What the built-in provider does, one function a stage: bytes in, bytes out, no files.
namespace waybill::asset {

// An input with its content.
struct Source {
  std::string stage;
  std::string name;  // of the file, without folders
  std::string media_type;
  std::string bytes;
  std::string sha256;
  std::vector<Metric> metrics;
};

struct Request {
  std::string prompt;
  int64_t seed = 0;
  std::string model_version;
  Parameters parameters;
  std::vector<Source> sources;  // the one that the stage needs; all of them for an export
};

// The one file that a stage makes.
struct Made {
  std::string bytes;
  std::vector<Metric> metrics;
};

// Parameters: side (64 to 1024 pixels, 512).
Result<Made> text_to_image(Request& request);

// From a PNG. Parameters: scale (1 to 4, 2), denoise (0 to 1, 0.5), sharpen (0 to 2, 0.6).
Result<Made> refine(Request& request);

// From a PNG to a mesh. Parameters: detail (32 to 384 cells along the longer side, 192), depth (0.1 to 2 of
// the round shape, 1), relief (0 to 1, 0.35), texture (64 to 2048 pixels, 512).
Result<Made> shape(Request& request);

// From a mesh. Parameters: ratio (0.01 to 1 of the triangles, 0.25), error (0.0001 to 1 of the size, 0.02).
Result<Made> retopo(Request& request);

// From a mesh. Parameters: joints (2 to 32, 6).
Result<Made> rig(Request& request);

// From a mesh with a skeleton. Parameters: clip (idle, walk), seconds (0.25 to 60, 2), frames_per_second (1
// to 60, 24).
Result<Made> anim(Request& request);

// From any files to an archive with a manifest. No parameters.
Result<Made> export_files(Request& request);

}  // namespace waybill::asset
