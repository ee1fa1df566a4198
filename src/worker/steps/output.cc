#include "worker/steps/output.h"

#include "base/utf8.h"
#include "worker/json_text.h"
#include "worker/steps/json_pattern.h"
#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

Error not_as_wanted(const std::string& how) {
  return final_trouble("STEP_OUTPUT_INVALID", "what the step gives " + how);
}

// A step that gives a lot has not asked for all of it to be kept: what is too long is left out, and said so.
Result<std::string> without_long_parts(const std::string& output) {
  if (output.size() <= shown_bytes_max) {
    return output;
  }
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto root, parser.parse_copy(output));
  std::string kept;
  json::Writer writer(kept);
  writer.begin_object();
  for (json::Members each(root); each.next();) {
    std::string value;
    append_json(value, each.value());
    if (value.size() <= shown_bytes_max / 2) {
      writer.key(each.key()).raw(value);
    }
  }
  writer.key("is_cut").boolean(true).end_object();
  return kept;
}

}  // namespace

Status append_given(json::Writer& writer, std::string_view name, const Given& given, Step::Output wanted) {
  if (wanted == Step::Output::json && given.is_cut) {
    return not_as_wanted("has more than 1 MiB, and must be JSON");
  }
  json::Parser parser;
  const bool may_be_json = wanted == Step::Output::json || (wanted == Step::Output::any && given.claims_json);
  if (may_be_json && !given.is_cut) {
    if (const auto value = parser.parse_copy(given.bytes)) {
      append_json(writer.key(name).value_place(), *value);
      return {};
    }
  }
  if (wanted == Step::Output::json) {
    return not_as_wanted("is no JSON");
  }
  const bool is_text = is_utf8(given.bytes);
  if (wanted == Step::Output::text && !is_text) {
    return not_as_wanted("is no text in UTF-8");
  }
  if (is_text) {
    writer.key(name).string(given.bytes);
  }
  if (given.is_cut || !is_text) {
    writer.key("is_cut").boolean(true);
  }
  return {};
}

Result<std::string> kept_of(const Step& step, const std::string& output, Values& values) {
  if (!step.keep) {
    return without_long_parts(output);
  }
  WAYBILL_TRY(values.set_output(output));
  std::string kept;
  if (const auto filled = append_filled(kept, *step.keep, values); !filled) {
    return final_trouble("STEP_VALUE_MISSING", "keep: " + filled.error().message);
  }
  if (kept.size() > kept_bytes_max) {
    return final_trouble("STEP_OUTPUT_TOO_LARGE",
                         "what is to be kept has more than 32 KiB: put it elsewhere, and keep where it is");
  }
  return kept;
}

}  // namespace waybill::worker::steps
