#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "load/dialect.h"
#include "load/out_buffer.h"

namespace waybill::load {

// Takes DynamoDB's answers apart.
class DynamoAnswers {
 public:
  explicit DynamoAnswers(const DialectOptions& options) : options_(options) {}

  // As Dialect::read_items.
  Result<std::vector<FoundItem>> items(const Request& request, std::string_view body);

  // The jobId in LastEvaluatedKey. Looked for where servers put it, the ends, before all is searched.
  static std::optional<JobId> last_evaluated(std::string_view body);

 private:
  Result<FoundItem> check_item(const json::Value& item);

  const DialectOptions& options_;
  json::Parser answer_parser_;
  json::Parser expected_parser_;
  OutBuffer expected_;
};

}  // namespace waybill::load
