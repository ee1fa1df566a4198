#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "media/studio.h"
#include "media/tasks.h"

namespace waybill::worker::photo {

// A photo on its way through a provider. Paths name files of the machine.
struct Shot {
  std::string original;     // what was uploaded
  std::string scratch;      // a path that may be written to, and beside it with endings
  std::string instruction;  // what the edit is to do, in words; "": what is usual
  std::stop_token stop;
  media::Studio* studio = nullptr;
  const Clock* clock = nullptr;
};

// Who analyses and edits photos. Errors as worker/trouble.h has them, with these codes beside those of
// images:
//   PROVIDER_NOT_CONFIGURED  there is no key for it here
//   PROVIDER_KEY_REFUSED     it does not take the key
//   PROVIDER_REFUSED         it will not work on this photo: its rules are against it, or it cannot read it
//   PROVIDER_QUOTA           it has been asked too often, or the account is used up; may pass
//   PROVIDER_TIMEOUT         it did not answer in time; may pass
//   PROVIDER_UNAVAILABLE     it has trouble of its own, or cannot be reached; may pass
//   PROVIDER_BAD_ANSWER      its answer makes no sense; may pass
// Texts name neither keys nor persons.
//
// Thread safety: every method may be called from any thread.
class Provider {
 public:
  virtual ~Provider() = default;

  virtual Result<media::Analysis> analyse(const Shot& shot) const = 0;

  // Writes the edited photo to `output`: a file of the format given, with pixels alone in it.
  virtual Result<media::Picture> edit(const Shot& shot, const std::string& output,
                                      media::Format format) const = 0;
};

}  // namespace waybill::worker::photo
