#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::transfer {

// Folders that stand for the buckets of S3: bucket NAME is the folder NAME of a directory. Nothing that a
// client names leads out of that directory.
//
// Thread safety: every method may be called from any thread.
class Buckets {
 public:
  explicit Buckets(std::string directory) : directory_(std::move(directory)) {}

  // The folder `prefix` of a bucket, absolute; "" is the bucket itself. Nothing is made, and it need not be
  // there. Error invalid for names that are none, and where a symbolic link leads out of the directory.
  Result<std::string> folder(std::string_view bucket, std::string_view prefix) const;

 private:
  const std::string directory_;
};

// As the service asks: letters, digits, '.', '-' and '_', with a letter or digit at both ends.
bool is_bucket_name(std::string_view name);

// Whether a key stays inside of its bucket: no part of it is "." or "..", and it does not begin with '/'.
bool is_inside(std::string_view key);

}  // namespace waybill::transfer
