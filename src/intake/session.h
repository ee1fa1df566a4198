#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "intake/change_table.h"
#include "intake/database.h"
#include "intake/endpoint.h"
#include "intake/mapping.h"
#include "intake/patience.h"
#include "intake/row_mapper.h"
#include "intake/shape.h"

namespace waybill::intake {

struct Settings {
  std::string connection;  // to PostgreSQL; see Database::open
  Endpoint endpoint;
  unsigned in_flight = 4;            // batches
  std::size_t page_rows = 1'000;     // that are read at once
  uint64_t rows_per_second = 0;      // at most; 0: as fast as may be
  int64_t patience_ms = 5 * 60'000;  // with a server or a database that is away
};

// A mapping with both of its ends found and looked at: what all that is done with it needs.
//
// Thread safety: none.
class Session {
 public:
  // `problems` has what is wrong with the mapping, now that both ends are known; the session is of no use
  // then. Clock and stop flag outlive it.
  static Result<std::unique_ptr<Session>> open(Mapping mapping, Settings settings, const Clock& clock,
                                               const StopFlag& stop, contract::Problems& problems);

  const Mapping& mapping() const { return mapping_; }
  const Settings& settings() const { return settings_; }
  const Shape& shape() const { return shape_; }
  const RowMapper& mapper() const { return *mapper_; }
  const Clock& clock() const { return clock_; }
  const StopFlag& stop() const { return stop_; }
  const Patience& patience() const { return patience_; }
  Database& database() { return *database_; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::string>& key_types() const { return key_types_; }

  // Of the mapping as it is and the table that items go to: a progress is of no use with another.
  const std::string& fingerprint() const { return fingerprint_; }

  // Nothing where the source is a query that stands for itself.
  const std::optional<ChangeTable>& changes() const { return changes_; }
  Result<bool> is_prepared();

  // So that nobody else imports with this mapping at the same time, until the session ends. Error in_use
  // where somebody does.
  Status lock();

  // Runs a statement that does no harm when it is run twice; reconnects where the connection is lost.
  Result<Rows> run(const std::string& statement, const std::vector<std::string>& parameters = {});
  // Runs one that holds for the connection's time, now and whenever the connection is made anew.
  Status run_always(const std::string& statement);
  // Until it succeeds or patience ends; takes the lock again where it was held.
  Status reconnect();

  Result<uint64_t> count_rows();

  // The values of a row, in the order of columns(). Views live as long as `rows`.
  std::vector<std::optional<std::string_view>> values(const Rows& rows, std::size_t row) const;
  std::vector<std::string> key_values(const Rows& rows, std::size_t row) const;
  // "id=7", for messages.
  std::string row_name(const std::vector<std::string>& key) const;

 private:
  Session(Mapping mapping, Settings settings, const Clock& clock, const StopFlag& stop);
  Status try_lock();
  Status find_columns(std::vector<Column>& columns);
  Status find_nulls(std::vector<Column>& columns);
  Status find_key_types(const Rows& described);
  Status check_key(contract::Problems& problems);
  Status find_schema();

  Mapping mapping_;
  const Settings settings_;
  const Clock& clock_;
  const StopFlag& stop_;
  const Patience patience_;
  Shape shape_;
  std::unique_ptr<Database> database_;
  std::vector<std::string> columns_;
  std::vector<std::string> key_types_;
  std::unique_ptr<const RowMapper> mapper_;
  std::optional<ChangeTable> changes_;
  std::string fingerprint_;
  bool is_locked_ = false;
  std::vector<std::string> always_;  // statements of run_always()
};

}  // namespace waybill::intake
