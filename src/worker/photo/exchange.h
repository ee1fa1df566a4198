#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/photo/provider.h"

// What goes to providers elsewhere, and what comes back from them.
namespace waybill::worker::photo {

// The photo as it is shown to others: a JPEG in Base64, upright, without EXIF or GPS. Error of images;
// IMAGE_TOO_LARGE where it has more than `bytes_max` bytes.
Result<std::string> copy_for_others(const Shot& shot, int64_t bytes_max);

// Takes an image that others have made, in Base64, and writes it to `output` in the format wanted, decoded
// and written anew: it is a file of strangers. PROVIDER_BAD_ANSWER where it is no image.
Result<media::Picture> take_from_others(const Shot& shot, std::string_view base64, const std::string& output,
                                        media::Format format);

// What an edit does where nobody says more.
inline constexpr std::string_view usual_instruction =
    "Improve this photo as a careful photo editor would: balance exposure and white balance, raise contrast "
    "and clarity a little, reduce noise, straighten the horizon. Keep the people, objects, text and the "
    "composition exactly as they are. Answer with the edited photo alone.";

}  // namespace waybill::worker::photo
