#pragma once

#include <string>
#include <string_view>

#include "load/dialect.h"
#include "load/dynamo_answers.h"
#include "load/dynamo_bodies.h"
#include "load/out_buffer.h"

namespace waybill::load {

// DynamoDB's JSON 1.0 protocol over HTTP/1.1, with the headers that the JavaScript SDK sends.
class DynamoDialect final : public Dialect {
 public:
  explicit DynamoDialect(const DialectOptions& options);

  Status create_table() override;
  Status settle_table() override { return {}; }
  Status greet(Socket&) override { return {}; }
  std::string_view write(const Request& request) override;
  Result<Answer> read(const Request& request, std::string_view received) override;
  std::optional<JobId> page_end(const Answer& answer) const override;
  Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) override;
  uint32_t load_items() const override { return batch_items; }

 private:
  struct Reply {
    int status = 0;
    std::string body;
  };

  // Puts the head before the body that stands in out_ behind the room for it.
  std::string_view add_head(std::string_view target);
  Result<Reply> call(Socket& socket, std::string_view name, std::string_view body);
  // Polls DescribeTable until it answers as `done` wants.
  template <typename Done>
  Status wait_until(Socket& socket, Done done);

  DialectOptions options_;
  DynamoBodies bodies_;
  DynamoAnswers answers_;
  std::string head_start_;  // up to the name of the operation
  std::string head_middle_;
  OutBuffer out_;
  std::string chunks_;
};

}  // namespace waybill::load
