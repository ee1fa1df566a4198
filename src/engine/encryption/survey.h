#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/encryption/secret.h"

namespace waybill::engine::encryption {

struct FileCount {
  uint64_t files = 0;
  uint64_t bytes = 0;
};

// How the files of a store are encrypted, by their headers: no key is needed to see it.
struct Survey {
  FileCount plain;
  // By the keys that open a file: one, or either of two where a change of keys is on its way.
  std::map<std::vector<KeyId>, FileCount> sealed;
};

// Looks at all files of the store in `data_dir`. Files that go while it looks are left out. It may be
// open: then the counts are of about now.
Result<Survey> survey(const std::string& data_dir);

// Where a store keeps the files that are encrypted.
std::string files_dir(const std::string& data_dir);
// The names in there, none of them where it is missing.
Result<std::vector<std::string>> file_names(const std::string& data_dir);

}  // namespace waybill::engine::encryption
