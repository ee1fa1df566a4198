#include "control/message.h"

namespace waybill::control {

Result<std::string> text_member(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  if (!value || !value->is_string()) {
    return invalid("the command needs a " + std::string(name));
  }
  return std::string(value->string());
}

std::string progress_line(const Step& step) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("progress").begin_object();
  out.key("what").string(step.what);
  out.key("done").integer(static_cast<int64_t>(step.done));
  out.key("total").integer(static_cast<int64_t>(step.total));
  out.end_object().end_object();
  return text + "\n";
}

std::string result_line(std::string_view result) {
  return std::string(R"({"result":)").append(result).append("}\n");
}

std::string error_line(std::string_view message) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("error").string(message).end_object();
  return text + "\n";
}

}  // namespace waybill::control
