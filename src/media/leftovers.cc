#include "media/leftovers.h"

#include <unistd.h>

namespace waybill::media {

namespace {

// Whether it was there.
bool remove(const std::string& path) {
  return ::unlink(path.c_str()) == 0;
}

}  // namespace

void remove_leftovers(const Request& request) {
  if (const auto* convert = std::get_if<ConvertTask>(&request.task)) {
    const bool image_was_unfinished = remove(convert->image + request.part);
    const bool thumbnail_was_unfinished = remove(convert->thumbnail + request.part);
    // The thumbnail is begun after the image: without the image's part it had been put in its place.
    if (thumbnail_was_unfinished && !image_was_unfinished) {
      remove(convert->image);
    }
  } else if (const auto* edit = std::get_if<EditTask>(&request.task)) {
    remove(edit->output + request.part);
  }
}

}  // namespace waybill::media
