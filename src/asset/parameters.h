#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace waybill::asset {

// The parameters of a stage: a flat JSON object of numbers and words. The first thing that is wrong with them
// is kept and told by `finish`, so that a stage reads them all and asks once.
//
//   auto parameters = Parameters::read(text);
//   const double ratio = parameters->number("ratio", {.fallback = 0.25, .least = 0.01, .most = 1});
//   WAYBILL_TRY(parameters->finish());
class Parameters {
 public:
  struct Range {
    double fallback;
    double least;
    double most;
  };

  // An empty text is an empty object.
  static Result<Parameters> read(std::string_view text);

  double number(std::string_view name, Range range);
  int whole(std::string_view name, Range range);

  // One of `words`; the first one where nothing is said.
  std::string word(std::string_view name, std::initializer_list<std::string_view> words);

  // What was wrong with one of the above, or a parameter that was not asked for.
  Status finish() const;

 private:
  struct Given {
    std::string name;
    json::Type type = json::Type::null;
    double number = 0;
    std::string word;
  };

  // Null where it is not given.
  const Given* take(std::string_view name);
  void refuse(std::string message);

  std::vector<Given> given_;
  std::vector<std::string> known_;
  std::string problem_;
};

}  // namespace waybill::asset
