#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/result.h"
#include "media/limits.h"
#include "media/tasks.h"

// What a studio and its children say to each other, a line of JSON each. The studio begins with the limits,
// and the child answers when it is ready; then one task at a time:
//
//   {"limits":{"input_bytes_max":67108864,…}}
//   {"result":{}}
//   {"convert":{"input":"/in","image":"/out.webp","thumbnail":"/small.webp","quality":85,"thumbnailSideMax":300},"part":".part-1"}
//   {"analyse":{"input":"/in"}}
//   {"edit":{"input":"/in","output":"/out","format":"jpeg","quality":85,"autoLevels":true,"crop":"attention","ratio":"3:2","sharpen":true},"part":".part-2"}
//   {"result":{…}}            or {"error":{"kind":"invalid","message":"…","detail":"…"}}
//
// Results of analyses have the names of the photo editor's records.
namespace waybill::media {

// Of a line without its end, in either direction.
inline constexpr std::size_t line_bytes_max = 64 << 10;

using Task = std::variant<ConvertTask, AnalyseTask, EditTask>;

struct Request {
  Task task;
  std::string part;  // what is added to the name of an output that is not whole yet
};

// Lines without their ends.
std::string limits_line(const Limits& limits);
std::string request_line(const Request& request);
std::string result_line(std::string_view result);  // complete JSON
std::string error_line(const Error& error);

Result<Limits> read_limits(json::Parser& parser, std::string_view line);

// Values out of their bounds are Errors of kind invalid that name the member.
Result<Request> read_request(json::Parser& parser, std::string_view line);

// The result, or the error that the line tells; Error malformed for anything else. Lives as long as the
// parser's document.
Result<json::Value> read_answer(json::Parser& parser, std::string_view line);

// {"labels":[{"name":"Blue","confidence":0.93}],"description":"…","safeSearch":{"adult":"UNLIKELY","violence":"…"}},
// and "original" as of a picture: {"width":…,"height":…,"size":…,"format":"jpeg"}
std::string to_json(const Analysis& analysis);
std::string to_json(const Converted& converted);
std::string to_json(const Edited& edited);

Result<Converted> read_converted(const json::Value& result);
Result<Analysis> read_analysis(const json::Value& result);
Result<Edited> read_edited(const json::Value& result);

}  // namespace waybill::media
