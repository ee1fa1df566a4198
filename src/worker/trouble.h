#pragma once

#include <string>
#include <utility>

#include "base/result.h"
#include "client/jobs_client.h"

// Why a job has failed. Errors of workers have in `detail` the code that the record is to tell
// ("IMAGE_BROKEN"); those of kind unavailable may pass, all others would come again.
namespace waybill::worker {

// It would come again, whoever tried.
inline Error final_trouble(std::string code, std::string message) {
  return Error{ErrorKind::invalid, std::move(message), std::move(code)};
}

inline Error passing_trouble(std::string code, std::string message) {
  return Error{ErrorKind::unavailable, std::move(message), std::move(code)};
}

// Errors of object_client.h: what is wrong with the object that the record names. `what` is its part in the
// work: "the upload".
Error object_trouble(const Error& error, const std::string& what);

// Errors of media/studio.h: what is wrong with an image.
Error image_trouble(const Error& error);

client::Failure failure_of(const Error& error);

}  // namespace waybill::worker
