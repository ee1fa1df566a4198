#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "load/dialect.h"
#include "load/out_buffer.h"

namespace waybill::load {

// How many steps a job has.
inline constexpr uint32_t job_steps = 3;

// The jobs API over HTTP/1.1: what a client creates and a worker does, one job to a request. The table is the
// contract and the record, "orchestrator/job"; jobs have the fields of contracts/orchestrator.yaml. Of
// "image-service/image" records are created and read, and not worked on.
class JobsDialect final : public Dialect {
 public:
  explicit JobsDialect(const DialectOptions& options);

  Status create_table() override { return invalid("contracts are made by the server"); }
  Status settle_table() override { return {}; }
  Status greet(Socket&) override { return {}; }
  std::string_view write(const Request& request) override;
  // Several in one: POST /v1/batch. The bytes live until the next call.
  std::string_view write_batch(std::span<const Request* const> requests);
  // The answers to each, of the body of an answer to a batch; empty where it is none.
  static std::vector<Answer> split_batch(std::string_view body);
  Result<Answer> read(const Request& request, std::string_view received) override;
  // Of a claim: the job, its lease, and its number as the item; none where nothing was claimed.
  void keep(const Answer& answer, Request& request) const override;
  // Finds no items: records are compared here with what they must be after the request.
  Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) override;
  uint32_t load_items() const override { return 1; }

 private:
  void add_body(const Request& request);
  void add_path(const Request& request, OutBuffer& out) const;
  void add_job(uint64_t number);
  void add_image(uint64_t number);
  std::string_view verb_of(Operation operation) const;

  DialectOptions options_;
  bool are_images_;
  std::string path_;       // "/v1/orchestrator/job"
  std::string head_rest_;  // what stands between the path and the length of the body
  OutBuffer body_;
  OutBuffer out_;
  std::string chunks_;
  json::Parser parser_;
};

}  // namespace waybill::load
