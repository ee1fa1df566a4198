#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::asset {

inline constexpr std::string_view png_media_type = "image/png";
inline constexpr std::string_view glb_media_type = "model/gltf-binary";
inline constexpr std::string_view zip_media_type = "application/zip";

inline constexpr std::size_t prompt_bytes_max = 4096;
inline constexpr std::size_t parameters_bytes_max = 16 << 10;
inline constexpr std::size_t inputs_max = 64;

// A number that was measured while something was made; names are snake_case with the unit last.
struct Metric {
  std::string name;
  double value = 0;
};

// A file that a stage has made.
struct Artifact {
  std::string path;
  std::string media_type;
  uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits, lower case
};

// A file that an earlier stage has made, as it is given to a later one.
struct Input {
  std::string stage;  // that made it; may be empty
  std::string path;
  std::string media_type;
  std::string sha256;           // where given, a file with another content is refused
  std::vector<Metric> metrics;  // of that stage, for the manifest of an export
};

// One stage of one asset.
struct Task {
  std::string stage;  // see stage.h
  std::string prompt;
  int64_t seed = 0;
  std::vector<Input> inputs;  // in the order of their stages; a stage takes the last one of the kind it needs
  std::string parameters;     // of the stage, a JSON object; empty for none
  std::string output_folder;  // made where it is missing
};

struct Product {
  std::vector<Artifact> artifacts;
  std::vector<Metric> metrics;
};

// Makes the artifacts of a stage: the built-in one, or a service of somebody else.
//
// Thread safety: every method may be called from any thread. Tasks that run at one time have output folders
// of their own, or make the same.
class Provider {
 public:
  virtual ~Provider() = default;

  // For logs and records.
  virtual std::string_view name() const = 0;

  // Changes whenever the same task may give other bytes; part of a step's idempotency key.
  virtual std::string_view model_version() const = 0;

  // Runs one stage. The artifacts are on disk, whole, when it returns; running a task again replaces them.
  // Errors say what is wrong with the task, or with the world: see may_succeed_later.
  virtual Result<Product> run(const Task& task) = 0;
};

// Whether the same task can succeed at another time: the disk was full, a service was down. Otherwise the
// task itself has to change.
bool may_succeed_later(const Error& error);

}  // namespace waybill::asset
