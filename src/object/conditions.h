#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Conditional requests, decided from headers and what is known of the object.
namespace waybill::object {

// The headers as they came; for copies, their x-amz-copy-source- forms. A date that cannot be read is left
// out, as HTTP has it.
struct Conditions {
  std::optional<std::string> if_match;
  std::optional<std::string> if_none_match;
  std::optional<int64_t> if_modified_since_seconds;
  std::optional<int64_t> if_unmodified_since_seconds;
};

struct ObjectState {
  std::string etag;  // without quotes
  int64_t modified_ms = 0;
};

enum class ReadVerdict : unsigned char {
  proceed,
  not_modified,         // 304
  precondition_failed,  // 412
};

// For GET and HEAD. If-Match decides alone where If-Unmodified-Since is there too, and If-None-Match where
// If-Modified-Since is. Times are compared in whole seconds, which is all that headers have.
ReadVerdict decide_read(const Conditions& conditions, const ObjectState& object);

// For the source of a copy: as a read, but there is no 304.
ReadVerdict decide_copy_source(const Conditions& conditions, const ObjectState& object);

enum class WriteVerdict : unsigned char {
  proceed,
  not_there,            // 404: If-Match names the tag of an object that is not there
  precondition_failed,  // 412
};

// For PUT, DELETE and the completion of an upload, which know If-Match and If-None-Match alone. `object` is
// null where there is none. Holds only as long as nobody else can write: decide inside the transaction.
WriteVerdict decide_write(const Conditions& conditions, const ObjectState* object);

}  // namespace waybill::object
