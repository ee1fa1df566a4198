#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "worker/steps/pattern.h"

namespace waybill::worker::steps {

// What the texts of a workflow can name while a job runs.
//
// Thread safety: one thread at a time.
class Values {
 public:
  using Variable = std::function<std::optional<std::string>(const std::string& name)>;

  // `job` is the record, and outlives this; what earlier attempts have left of steps is in its step_outputs.
  Values(const json::Value& job, Variable variable);

  // What a step has left, for those behind it. Error malformed where it is no JSON.
  Status add_step(const std::string& name, std::string_view output);

  // What the step under way has given, until the next one gives something.
  Status set_output(std::string_view output);

  // The value of a path as patterns have it. Lives until the step is added anew.
  std::optional<json::Value> find(std::string_view path) const;

  // How values are written into a text.
  enum class Form : unsigned char {
    plain,
    url,  // percent-encoded, slashes as well
  };

  // Error invalid, in words that name what is missing; values themselves are never in them.
  Result<std::string> text(const Pattern& pattern, Form form = Form::plain) const;

 private:
  struct Document {
    json::Parser parser;
    json::Value root;
  };
  using DocumentPtr = std::unique_ptr<Document>;
  static Result<DocumentPtr> read(std::string_view text);

  Result<std::string> part_text(const Pattern::Part& part, Form form) const;

  const json::Value job_;
  const Variable variable_;
  std::map<std::string, DocumentPtr, std::less<>> steps_;
  DocumentPtr output_;
};

}  // namespace waybill::worker::steps
