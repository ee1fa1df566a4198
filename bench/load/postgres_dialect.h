#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "load/dialect.h"
#include "load/out_buffer.h"
#include "load/postgres_messages.h"
#include "load/postgres_statements.h"

namespace waybill::load {

// PostgreSQL's own protocol, with trust authentication. Statements are prepared once for each connection; a
// request is Bind, Execute and Sync in one write.
class PostgresDialect final : public Dialect {
 public:
  explicit PostgresDialect(const DialectOptions& options);

  Status create_table() override;
  Status settle_table() override;
  Status greet(Socket& socket) override;
  std::string_view write(const Request& request) override;
  Result<Answer> read(const Request& request, std::string_view received) override;
  void keep(const Answer& answer, Request& request) const override;
  Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) override;
  uint32_t load_items() const override { return 1000; }

 private:
  Status log_in(Socket& socket);
  // Sends what stands in out_ and reads until the server is ready for more.
  Status converse(Socket& socket);
  Status command(const std::string& sql);

  void add_put(const ItemRef& item, int64_t now_ms);
  void add_copy(const Request& request);
  void add_keys(const Request& request);
  Result<FoundItem> check_row(std::string_view data_row);

  DialectOptions options_;
  std::vector<postgres::Statement> statements_;
  std::string copy_command_;
  OutBuffer out_;
  OutBuffer scratch_;
  std::string error_;
};

}  // namespace waybill::load
