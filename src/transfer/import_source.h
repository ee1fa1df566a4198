#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::transfer {

// Where the errors of imports are written, in the folder that is imported; never a source itself.
inline constexpr std::string_view import_errors_folder = "import-errors";

struct SourceFile {
  std::string path;
  std::string key;  // below the folder
  uint64_t bytes = 0;
  std::string md5;  // as the manifest says; empty: it does not
};

// The files below `folder` whose keys begin with `prefix`, by key. Where that names the folder of an export,
// its data files as the manifest lists them, and only if the manifest is what its checksum says and it is an
// export that can be read. Symbolic links are left alone. Error invalid where there is nothing to be had; its
// detail is the service's word for that.
Result<std::vector<SourceFile>> list_source(const std::string& folder, std::string_view prefix);

// Whether every file is what its checksum says. `go_on` is asked now and then; false ends it, as if all was
// well.
Status verify(const std::vector<SourceFile>& files, const std::function<bool()>& go_on);

// The folder of the one export that is in or below `folder`: itself, AWSDynamoDB/<id> or <id>. nullopt where
// there is none; Error invalid where there are several.
Result<std::optional<std::string>> find_export_folder(const std::string& folder);

}  // namespace waybill::transfer
