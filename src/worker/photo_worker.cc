#include "worker/photo_worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/json.h"
#include "media/format.h"
#include "media/labels.h"
#include "media/limits.h"
#include "object/hash.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

constexpr std::size_t hash_digits = 16;
constexpr std::size_t format_bytes = 64;  // by which a format is known
constexpr std::string_view being_edited = "EDITING";

// What a job is about.
struct Order {
  client::ObjectName upload;
  std::string final_bucket;
  const photo::Provider* provider = nullptr;
};

Result<Order> read_order(const Task& task, const photo::Providers& providers) {
  Order order{{task.setting("temp_bucket"), std::string(task.job().text("s3TempKey"))},
              task.setting("final_bucket"),
              providers.find(task.job().text("provider"))};
  if (order.upload.bucket.empty() || order.final_bucket.empty()) {
    return final_trouble("NO_BUCKETS",
                         "the contract does not tell the worker temp_bucket and final_bucket, or they are "
                         "made of fields that the record lacks");
  }
  if (order.upload.key.empty()) {
    return final_trouble("OBJECT_MISSING", "the record names no upload: set s3TempKey");
  }
  if (order.provider == nullptr) {
    return final_trouble("PROVIDER_UNKNOWN",
                         "there is no provider \"" + std::string(task.job().text("provider")) + "\"");
  }
  return order;
}

// The format of the result: that of the original where it can be written, else JPEG.
media::Format result_format(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string beginning(format_bytes, '\0');
  const bool is_read = file.is_open() && read_all(file, beginning);
  const auto format = is_read ? media::format_of(beginning) : std::nullopt;
  return format && media::can_be_written(*format) ? *format : media::Format::jpeg;
}

Status begin_edit(Task& task) {
  if (task.job().text("status") == being_edited) {
    return {};
  }
  return task.progress(R"({"status":"EDITING"})");
}

Status analyse(Task& task, const photo::Provider& provider, const photo::Shot& shot) {
  if (task.job().record().find("analysisResult")) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto analysis, provider.analyse(shot));
  return task.progress(analysis_fields(analysis));
}

}  // namespace

std::string analysis_fields(const media::Analysis& analysis) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("analysisResult").begin_object().key("labels").begin_array();
  for (const auto& [name, confidence] : analysis.labels) {
    writer.begin_object().key("name").string(name).key("confidence").real(confidence).end_object();
  }
  writer.end_array();
  if (!analysis.description.empty()) {
    writer.key("description").string(analysis.description);
  }
  writer.key("safeSearch").begin_object();
  writer.key("adult").string(media::name_of(analysis.safe_search.adult));
  writer.key("violence").string(media::name_of(analysis.safe_search.violence));
  writer.end_object().end_object().end_object();
  return fields;
}

std::string edit_fields(const std::string& key, const media::Picture& picture) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("s3FinalKey").string(key).key("editResult").begin_object();
  writer.key("s3Key").string(key);
  writer.key("width").integer(picture.width).key("height").integer(picture.height);
  writer.key("format").string(media::name_of(picture.format));
  writer.key("size").integer(picture.bytes).end_object().end_object();
  return fields;
}

Result<std::string> final_key(std::string_view user, std::string_view job, const std::string& path,
                              media::Format format) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  object::Hash hash(object::HashKind::sha256);
  std::array<char, 1 << 16> piece;
  for (;;) {
    const auto got = file.is_open() ? ::read(file.number(), piece.data(), piece.size()) : -1;
    if (got < 0 && file.is_open() && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return passing_trouble("DISK_TROUBLE", "the edited photo cannot be read");
    }
    if (got == 0) {
      break;
    }
    hash.add({piece.data(), static_cast<std::size_t>(got)});
  }
  std::string key(user);
  key.append("/").append(job).append("/").append(hex_lower(hash.take()).substr(0, hash_digits));
  return key.append(".").append(media::name_of(format));
}

Result<Outcome> PhotoWorker::work(Task& task) const {
  WAYBILL_TRY_ASSIGN(const auto order, read_order(task, providers_));
  photo::Shot shot;
  shot.original = task.file("original");
  shot.scratch = task.file("scratch");
  shot.instruction = task.setting("instruction");
  shot.stop = task.stop();
  shot.studio = task.tools().studio;
  shot.clock = task.tools().clock;
  WAYBILL_TRY(
      task.fetch(order.upload, shot.original, "the upload", {.bytes_max = media::Limits().input_bytes_max}));
  WAYBILL_TRY(begin_edit(task));
  WAYBILL_TRY(analyse(task, *order.provider, shot));
  const auto edited = task.file("edited");
  const auto format = result_format(shot.original);
  WAYBILL_TRY_ASSIGN(const auto picture, order.provider->edit(shot, edited, format));
  WAYBILL_TRY_ASSIGN(const auto key, final_key(task.job().text("userId"), task.job().id(), edited, format));
  WAYBILL_TRY(task.store(edited, {order.final_bucket, key}, "the edited photo",
                         {std::string(media::mime_type_of(format))}));
  return Outcome(Done{edit_fields(key, picture)});
}

}  // namespace waybill::worker
