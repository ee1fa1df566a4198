#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "worker/photo/provider.h"

namespace waybill::worker::photo {

// The providers by the names that records have them: stub, gemini, seedream. Keys and addresses come from the
// environment, read once:
//
//   GEMINI_API_KEY, or GEMINI_API_KEY_FILE with the path of a file that its owner alone can read
//   WAYBILL_GEMINI_ENDPOINT, WAYBILL_GEMINI_MODEL, WAYBILL_GEMINI_IMAGE_MODEL
//   ARK_API_KEY, or ARK_API_KEY_FILE
//   WAYBILL_SEEDREAM_ENDPOINT, WAYBILL_SEEDREAM_MODEL
//   WAYBILL_PROVIDER_TIMEOUT_S, for one answer, and WAYBILL_PROVIDER_PATIENCE_S, for all attempts of one call
//
// Thread safety: every method may be called from any thread.
class Providers {
 public:
  Providers();

  // Null where there is none of that name.
  const Provider* find(std::string_view name) const;

 private:
  std::unique_ptr<Provider> stub_;
  std::unique_ptr<Provider> gemini_;
  std::unique_ptr<Provider> seedream_;
};

}  // namespace waybill::worker::photo
