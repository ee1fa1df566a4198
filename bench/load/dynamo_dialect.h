#pragma once

#include <string>
#include <string_view>

#include "load/aws_requests.h"
#include "load/dialect.h"
#include "load/dynamo_answers.h"
#include "load/dynamo_bodies.h"

namespace waybill::load {

// DynamoDB's JSON 1.0 protocol.
class DynamoDialect final : public Dialect {
 public:
  explicit DynamoDialect(const DialectOptions& options);

  Status create_table() override;
  Status settle_table() override { return {}; }
  Status greet(Socket&) override { return {}; }
  std::string_view write(const Request& request) override;
  Result<Answer> read(const Request& request, std::string_view received) override;
  void keep(const Answer& answer, Request& request) const override;
  Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) override;
  uint32_t load_items() const override { return batch_items; }

 private:
  // Polls DescribeTable until it answers as `done` wants.
  template <typename Done>
  Status wait_until(Socket& socket, Done done);

  DialectOptions options_;
  AwsRequests requests_;
  DynamoBodies bodies_;
  DynamoAnswers answers_;
};

}  // namespace waybill::load
