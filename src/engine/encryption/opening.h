#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/encryption/store_marker.h"
#include "engine/encryption/survey.h"

namespace waybill::engine::encryption {

enum class Mode : unsigned char {
  plain,       // nothing is encrypted
  converting,  // what is written is encrypted; what was there is being rewritten
  encrypted,
};

// What is known when a store is about to be opened.
struct Evidence {
  std::string data_dir;
  std::optional<Marker> marker;
  Survey files;
};

// How the store may be opened with `keys` (null: none are given), or why not and what to do. Pure.
Result<Mode> decide_opening(const Evidence& evidence, const KeyRing* keys, bool encrypt_existing);

// An error that names the keys which `files` need and `keys` lacks.
Status check_keys(const Survey& files, const KeyRing& keys);

// The state of a store for an operator to read, several lines.
std::string describe(const Evidence& evidence);

}  // namespace waybill::engine::encryption
