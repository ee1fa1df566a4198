#pragma once

#include <string>
#include <string_view>

#include "load/job.h"
#include "load/out_buffer.h"
#include "load/request.h"

namespace waybill::load {

// The JSON bodies of DynamoDB requests.
class DynamoBodies {
 public:
  DynamoBodies(std::string_view table, const Population& population);

  // Appends the body of `request`.
  void add(OutBuffer& out, const Request& request) const;

  std::string create_table() const;
  std::string table_name() const;  // the body of DeleteTable and DescribeTable

 private:
  void add_put(OutBuffer& out, const Request& request) const;
  void add_update(OutBuffer& out, const Request& request) const;
  void add_query(OutBuffer& out, const Request& request) const;
  void add_transaction(OutBuffer& out, const Request& request) const;
  void add_batch_write(OutBuffer& out, const Request& request) const;
  void add_batch_get(OutBuffer& out, const Request& request) const;
  void add_scan(OutBuffer& out, const Request& request) const;

  Population population_;
  std::string table_;        // {"TableName":"jobs"
  std::string by_key_;       // {"TableName":"jobs","Key":{"jobId":{"S":"
  std::string with_item_;    // {"TableName":"jobs","Item":
  std::string batch_;        // {"RequestItems":{"jobs":
  std::string transaction_;  // {"Put":{"TableName":"jobs","Item":
};

// What X-Amz-Target names it.
std::string_view dynamo_name(Operation operation);

}  // namespace waybill::load
