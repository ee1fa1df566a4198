#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace waybill::api::jobs {

// The parameters of a URL, decoded, without those of a signature.
class Query {
 public:
  static Query parse(std::string_view text);

  // The value of the first parameter of that name; nothing where there is none.
  std::optional<std::string_view> find(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;

  // The same as a number; `otherwise` where there is none. Error malformed where it is outside the bounds.
  Result<int64_t> integer(std::string_view name, int64_t least, int64_t most, int64_t otherwise) const;

  // Error malformed where there are others than these.
  Status check_names(const std::vector<std::string_view>& known) const;

  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace waybill::api::jobs
