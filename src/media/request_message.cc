// Limits and tasks as lines.
#include <array>
#include <limits>
#include <utility>

#include "media/crop.h"
#include "media/message.h"
#include "media/message_parts.h"

namespace waybill::media {

namespace {

struct LimitName {
  std::string_view name;
  int64_t Limits::* member;
};

constexpr std::array<LimitName, 7> limit_names = {{{"input_bytes_max", &Limits::input_bytes_max},
                                                   {"pixels_max", &Limits::pixels_max},
                                                   {"side_pixels_max", &Limits::side_pixels_max},
                                                   {"output_bytes_max", &Limits::output_bytes_max},
                                                   {"memory_bytes_max", &Limits::memory_bytes_max},
                                                   {"cpu_seconds_max", &Limits::cpu_seconds_max},
                                                   {"wall_ms_max", &Limits::wall_ms_max}}};

constexpr int thumbnail_side_limit = 16'383;

// Paths go to the system as C strings.
Result<std::string> path_member(const json::Value& task, std::string_view name) {
  WAYBILL_TRY_ASSIGN(auto path, text_member(task, name));
  if (path.empty() || path.find('\0') != std::string::npos) {
    return invalid("\"" + std::string(name) + "\" must be a path");
  }
  return path;
}

Result<int> quality_member(const json::Value& task) {
  WAYBILL_TRY_ASSIGN(const auto quality, integer_member(task, "quality", 1, 100));
  return static_cast<int>(quality);
}

Result<Task> read_convert(const json::Value& value) {
  ConvertTask task;
  WAYBILL_TRY_ASSIGN(task.input, path_member(value, "input"));
  WAYBILL_TRY_ASSIGN(task.image, path_member(value, "image"));
  WAYBILL_TRY_ASSIGN(task.thumbnail, path_member(value, "thumbnail"));
  WAYBILL_TRY_ASSIGN(task.quality, quality_member(value));
  WAYBILL_TRY_ASSIGN(const auto side, integer_member(value, "thumbnailSideMax", 1, thumbnail_side_limit));
  task.thumbnail_side_max = static_cast<int>(side);
  if (task.image == task.thumbnail) {
    return invalid("\"image\" and \"thumbnail\" must be two files");
  }
  return Task(std::move(task));
}

Result<Task> read_analyse(const json::Value& value) {
  AnalyseTask task;
  WAYBILL_TRY_ASSIGN(task.input, path_member(value, "input"));
  return Task(std::move(task));
}

Result<Task> read_edit(const json::Value& value) {
  EditTask task;
  WAYBILL_TRY_ASSIGN(task.input, path_member(value, "input"));
  WAYBILL_TRY_ASSIGN(task.output, path_member(value, "output"));
  WAYBILL_TRY_ASSIGN(task.quality, quality_member(value));
  WAYBILL_TRY_ASSIGN(task.auto_levels, boolean_member(value, "autoLevels"));
  WAYBILL_TRY_ASSIGN(task.sharpen, boolean_member(value, "sharpen"));
  WAYBILL_TRY_ASSIGN(const auto format_name, text_member(value, "format"));
  const auto format = format_named(format_name);
  if (!format || !can_be_written(*format)) {
    return invalid("\"format\" must be jpeg, png or webp");
  }
  task.format = *format;
  WAYBILL_TRY_ASSIGN(const auto crop_name, text_member(value, "crop"));
  const auto crop = crop_named(crop_name);
  if (!crop) {
    return invalid("\"crop\" must be none, borders, attention or centre");
  }
  task.crop = *crop;
  if (value.find("ratio")) {
    WAYBILL_TRY_ASSIGN(const auto ratio_name, text_member(value, "ratio"));
    task.ratio = ratio_named(ratio_name);
    if (!task.ratio) {
      return invalid("\"ratio\" must be two numbers from 1 to 100, as in 16:9");
    }
  }
  return Task(std::move(task));
}

Result<Task> read_task(const json::Value& request) {
  if (const auto task = request.find("convert"); task && task->is_object()) {
    return read_convert(*task);
  }
  if (const auto task = request.find("analyse"); task && task->is_object()) {
    return read_analyse(*task);
  }
  WAYBILL_TRY_ASSIGN(const auto task, object_member(request, "edit"));
  return read_edit(task);
}

void write(json::Writer& out, const ConvertTask& task) {
  out.key("convert").begin_object();
  out.key("input").string(task.input);
  out.key("image").string(task.image);
  out.key("thumbnail").string(task.thumbnail);
  out.key("quality").integer(task.quality);
  out.key("thumbnailSideMax").integer(task.thumbnail_side_max);
  out.end_object();
}

void write(json::Writer& out, const AnalyseTask& task) {
  out.key("analyse").begin_object().key("input").string(task.input).end_object();
}

void write(json::Writer& out, const EditTask& task) {
  out.key("edit").begin_object();
  out.key("input").string(task.input);
  out.key("output").string(task.output);
  out.key("format").string(name_of(task.format));
  out.key("quality").integer(task.quality);
  out.key("autoLevels").boolean(task.auto_levels);
  out.key("crop").string(name_of(task.crop));
  if (task.ratio) {
    out.key("ratio").string(std::to_string(task.ratio->width) + ":" + std::to_string(task.ratio->height));
  }
  out.key("sharpen").boolean(task.sharpen);
  out.end_object();
}

Result<json::Value> parse_object(json::Parser& parser, std::string_view line) {
  const auto value = parser.parse_copy(line);
  if (!value || !value->is_object()) {
    return Error{ErrorKind::malformed, "a request is an object of JSON, in UTF-8", {}};
  }
  return *value;
}

}  // namespace

std::string limits_line(const Limits& limits) {
  std::string line;
  json::Writer out(line);
  out.begin_object().key("limits").begin_object();
  for (const LimitName& limit : limit_names) {
    out.key(limit.name).integer(limits.*limit.member);
  }
  out.end_object().end_object();
  return line;
}

Result<Limits> read_limits(json::Parser& parser, std::string_view line) {
  WAYBILL_TRY_ASSIGN(const auto request, parse_object(parser, line));
  WAYBILL_TRY_ASSIGN(const auto members, object_member(request, "limits"));
  Limits limits;
  for (const LimitName& limit : limit_names) {
    WAYBILL_TRY_ASSIGN(limits.*limit.member,
                       integer_member(members, limit.name, 1, std::numeric_limits<int64_t>::max()));
  }
  return limits;
}

std::string request_line(const Request& request) {
  std::string line;
  json::Writer out(line);
  out.begin_object();
  std::visit([&out](const auto& task) { write(out, task); }, request.task);
  out.key("part").string(request.part);
  out.end_object();
  return line;
}

Result<Request> read_request(json::Parser& parser, std::string_view line) {
  WAYBILL_TRY_ASSIGN(const auto value, parse_object(parser, line));
  WAYBILL_TRY_ASSIGN(auto part, text_member(value, "part"));
  if (part.empty() || part.find('/') != std::string::npos || part.find('\0') != std::string::npos) {
    return invalid("\"part\" must be the end of a file's name");
  }
  WAYBILL_TRY_ASSIGN(auto task, read_task(value));
  return Request{std::move(task), std::move(part)};
}

}  // namespace waybill::media
