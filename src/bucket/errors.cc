#include "bucket/errors.h"

#include <string>

namespace waybill::bucket {

Error no_such_bucket() {
  return {ErrorKind::not_found, "The specified bucket does not exist", "NoSuchBucket"};
}

Error no_such_key() {
  return {ErrorKind::not_found, "The specified key does not exist.", "NoSuchKey"};
}

Error no_such_upload() {
  return {ErrorKind::not_found,
          "The specified upload does not exist. The upload ID may be invalid, or the upload may have been "
          "aborted or completed.",
          "NoSuchUpload"};
}

Error bucket_exists() {
  return {ErrorKind::in_use,
          "Your previous request to create the named bucket succeeded and you already own it.",
          "BucketAlreadyOwnedByYou"};
}

Error bucket_not_empty() {
  return {ErrorKind::in_use, "The bucket you tried to delete is not empty", "BucketNotEmpty"};
}

Error precondition_failed(std::string_view condition) {
  return {ErrorKind::condition_failed,
          "At least one of the pre-conditions you specified did not hold: " + std::string(condition),
          "PreconditionFailed"};
}

Error too_large(uint64_t bytes_max) {
  return {ErrorKind::too_large,
          "Your proposed upload exceeds the maximum allowed size: at most " + std::to_string(bytes_max) +
              " bytes are taken here.",
          "EntityTooLarge"};
}

Error invalid_part() {
  return {
      ErrorKind::invalid,
      "One or more of the specified parts could not be found. The part may not have been uploaded, or the "
      "specified entity tag may not match the part's entity tag.",
      "InvalidPart"};
}

Error invalid_part_order() {
  return {ErrorKind::invalid,
          "The list of parts was not in ascending order. Parts must be ordered by part number.",
          "InvalidPartOrder"};
}

Error part_too_small() {
  return {ErrorKind::invalid, "Your proposed upload is smaller than the minimum allowed size",
          "EntityTooSmall"};
}

std::string for_log(const Error& error) {
  return error.detail.empty() ? error.message : error.message + " (" + error.detail + ")";
}

Error refusal(std::string_view code, std::string_view message) {
  return {ErrorKind::invalid, std::string(message), std::string(code)};
}

}  // namespace waybill::bucket
