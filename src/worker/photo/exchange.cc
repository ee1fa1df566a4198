#include "worker/photo/exchange.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "worker/trouble.h"

namespace waybill::worker::photo {
namespace {

constexpr int copy_quality = 92;
constexpr int output_quality = 90;

// Decoded, turned upright, and written anew without metadata; nothing else is changed.
media::EditTask plain_copy(const std::string& from, const std::string& to, media::Format format,
                           int quality) {
  media::EditTask task;
  task.input = from;
  task.output = to;
  task.format = format;
  task.quality = quality;
  task.auto_levels = false;
  task.crop = media::Crop::none;
  task.sharpen = false;
  return task;
}

Result<std::string> read_file(const std::string& path, int64_t bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content(static_cast<std::size_t>(bytes), '\0');
  if (!file.is_open() || !read_all(file, content)) {
    return passing_trouble("DISK_TROUBLE", "the copy of the photo cannot be read");
  }
  return content;
}

Status write_file(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.is_open() || !write_all(file, content)) {
    return passing_trouble("DISK_TROUBLE", "the provider's photo cannot be written");
  }
  return {};
}

}  // namespace

Result<std::string> copy_for_others(const Shot& shot, int64_t bytes_max) {
  const auto path = shot.scratch + ".jpeg";
  const auto copied = shot.studio->edit(plain_copy(shot.original, path, media::Format::jpeg, copy_quality));
  if (!copied) {
    return image_trouble(copied.error());
  }
  if (copied->output.bytes > bytes_max) {
    return final_trouble("IMAGE_TOO_LARGE", "the photo has " + std::to_string(copied->output.bytes) +
                                                " bytes as a JPEG; the provider takes " +
                                                std::to_string(bytes_max));
  }
  WAYBILL_TRY_ASSIGN(const auto bytes, read_file(path, copied->output.bytes));
  std::string text;
  append_base64(text, bytes);
  return text;
}

Result<media::Picture> take_from_others(const Shot& shot, std::string_view base64, const std::string& output,
                                        media::Format format) {
  const auto bytes = decode_base64(base64);
  if (!bytes) {
    return passing_trouble("PROVIDER_BAD_ANSWER", "the provider's photo is not Base64");
  }
  const auto path = shot.scratch + ".answer";
  WAYBILL_TRY(write_file(path, *bytes));
  const auto taken = shot.studio->edit(plain_copy(path, output, format, output_quality));
  if (!taken && taken.error().kind == ErrorKind::unavailable) {
    return image_trouble(taken.error());
  }
  if (!taken) {
    return passing_trouble("PROVIDER_BAD_ANSWER",
                           "the provider's photo cannot be used: " + taken.error().message);
  }
  return taken->output;
}

}  // namespace waybill::worker::photo
