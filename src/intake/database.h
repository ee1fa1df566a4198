#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::intake {

// What a statement gave. Owns its values: views live as long as it.
class Rows {
 public:
  struct State;
  explicit Rows(std::unique_ptr<State> state);
  Rows(Rows&& other) noexcept;
  Rows& operator=(Rows&& other) noexcept;
  ~Rows();

  std::size_t count() const;
  std::size_t columns() const;
  std::string column_name(std::size_t column) const;
  uint32_t column_type(std::size_t column) const;  // OID
  int column_modifier(std::size_t column) const;   // of the type
  // Nothing: NULL.
  std::optional<std::string_view> at(std::size_t row, std::size_t column) const;
  std::string text(std::size_t row, std::size_t column) const;  // "" for NULL
  int64_t integer(std::size_t row, std::size_t column) const;   // 0 where it is none

 private:
  std::unique_ptr<State> state_;
};

// A connection to a PostgreSQL server, of which values come as texts in one form: UTF-8, ISO dates, UTC.
//
// Thread safety: none.
class Database {
 public:
  // `connection`: a URI or "host=… dbname=…"; what it does not say is taken from PGHOST and the other
  // variables of libpq, the service file and the password file. Error unavailable where there is no server,
  // invalid where it does not let us in. Passwords are in no message.
  static Result<std::unique_ptr<Database>> open(const std::string& connection);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Error unavailable where the connection is lost: reconnect() may help. Invalid: the server's own words.
  Result<Rows> run(const std::string& statement, const std::vector<std::string>& parameters = {});

  // The same in two steps, between which other work can be done. Nothing else may be run in between.
  Status begin(const std::string& statement, const std::vector<std::string>& parameters);
  Result<Rows> finish();

  // All of them, or none.
  Status run_together(const std::vector<std::string>& statements);

  // Again with what it was opened with. What was taken for the session's time (locks, LISTEN) is gone.
  Status reconnect();

  // Waits for a notification of a channel that was listened to. False where none came in time.
  Result<bool> wait_for_notice(int timeout_ms);

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace waybill::intake
