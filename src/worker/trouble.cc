#include "worker/trouble.h"

namespace waybill::worker {

Error object_trouble(const Error& error, const std::string& what) {
  switch (error.kind) {
    case ErrorKind::not_found:
      return final_trouble("OBJECT_MISSING", what + " is not there: " + error.message);
    case ErrorKind::access_denied:
      return final_trouble("OBJECT_DENIED",
                           what + " may not be used with the worker's key: " + error.message);
    case ErrorKind::too_large:
      return final_trouble("OBJECT_TOO_LARGE", what + " is too large: " + error.message);
    case ErrorKind::unavailable:
      return passing_trouble("OBJECTS_UNAVAILABLE", what + " cannot be reached: " + error.message);
    case ErrorKind::internal:
      return passing_trouble("DISK_TROUBLE", what + " cannot be kept here: " + error.message);
    default:
      return final_trouble("OBJECT_REFUSED", what + " is refused: " + error.message);
  }
}

Error image_trouble(const Error& error) {
  switch (error.kind) {
    case ErrorKind::unsupported:
      return final_trouble("IMAGE_UNSUPPORTED", error.message);
    case ErrorKind::invalid:
      return final_trouble("IMAGE_BROKEN", error.message);
    case ErrorKind::too_large:
      return final_trouble("IMAGE_TOO_LARGE", error.message);
    case ErrorKind::limit_exceeded:
      return final_trouble("IMAGE_TOO_COSTLY", error.message);
    case ErrorKind::unavailable:
      return passing_trouble("IMAGES_UNAVAILABLE", error.message);
    default:
      return final_trouble("IMAGE_FAILED", error.message);
  }
}

client::Failure failure_of(const Error& error) {
  return {error.detail.empty() ? "FAILED" : error.detail, error.message,
          error.kind == ErrorKind::unavailable};
}

}  // namespace waybill::worker
