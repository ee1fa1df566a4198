#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::worker::steps {

// A text of a workflow with values in it:
//
//   {job.input.page}         a field of the job's record
//   {steps.fetch.body.id}    what an earlier step has left
//   {output.body.id}         what the step itself has given, in `keep` alone
//   ${ENV:NAME}              a variable of the worker's environment
//
// Braces that are meant as such are written twice.
class Pattern {
 public:
  enum class Kind : unsigned char { text, value, variable };

  struct Part {
    Kind kind = Kind::text;
    std::string text;  // as it is, the path of a value, or the name of a variable

    bool operator==(const Part&) const = default;
  };

  Pattern() = default;

  // Error invalid says what is wrong with the text.
  static Result<Pattern> parse(std::string_view text);

  const std::vector<Part>& parts() const { return parts_; }

  // Whether it has a part of that kind.
  bool has(Kind kind) const;

  // Whether it is one value and nothing else: then it is more than a text.
  bool is_one_value() const { return parts_.size() == 1 && parts_.front().kind == Kind::value; }

  bool operator==(const Pattern&) const = default;

 private:
  void add_text(std::string_view text);

  std::vector<Part> parts_;
};

}  // namespace waybill::worker::steps
