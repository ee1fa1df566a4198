#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "load/aws_requests.h"
#include "load/dialect.h"

namespace waybill::load {

// SQS's JSON protocol: one message to a request, but ten to each of a load.
class SqsDialect final : public Dialect {
 public:
  explicit SqsDialect(const DialectOptions& options);

  Status create_table() override;
  Status settle_table() override { return {}; }
  // Asks for the queue's address, the first time.
  Status greet(Socket& socket) override;
  std::string_view write(const Request& request) override;
  Result<Answer> read(const Request& request, std::string_view received) override;
  void keep(const Answer& answer, Request& request) const override;
  // Finds no items: messages are compared here with what they must be, and so are the digests of their
  // bodies.
  Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) override;
  uint32_t load_items() const override { return batch_messages; }

 private:
  void add_entries(OutBuffer& out, const Request& request) const;
  Status check_sent(uint64_t number, const json::Value& answer) const;
  Status check_entries(const Request& request, const json::Value& answer) const;
  Status check_received(const Request& request, const json::Value& answer) const;

  DialectOptions options_;
  AwsRequests requests_;
  json::Parser parser_;
  std::string queue_;  // {"QueueUrl":"…"
};

}  // namespace waybill::load
