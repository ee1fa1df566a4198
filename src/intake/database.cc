#include "intake/database.h"

#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <charconv>
#include <utility>

namespace waybill::intake {
namespace {

struct ResultDeleter {
  void operator()(PGresult* result) const { PQclear(result); }
};
struct ConnectionDeleter {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
struct NoticeDeleter {
  void operator()(PGnotify* notice) const { PQfreemem(notice); }
};
using ResultPtr = std::unique_ptr<PGresult, ResultDeleter>;
using ConnectionPtr = std::unique_ptr<PGconn, ConnectionDeleter>;

constexpr const char* settings =
    "SET datestyle = 'ISO, MDY'; SET timezone = 'UTC'; SET intervalstyle = 'postgres'; "
    "SET extra_float_digits = 1; SET bytea_output = 'hex'; SET standard_conforming_strings = on";

// In one line, without libpq's line breaks.
std::string words_of(const char* message) {
  std::string text(message == nullptr ? "" : message);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
    text.replace(at, 1, "; ");
  }
  return text;
}

// libpq's own words about a text that it cannot read repeat parts of it, a password maybe.
Status check_text(const std::string& connection) {
  if (connection.empty()) {
    return {};
  }
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, OptionsDeleter> parsed(
      PQconninfoParse(connection.c_str(), &message));
  PQfreemem(message);
  if (parsed != nullptr) {
    return {};
  }
  return invalid(
      "this is no connection to PostgreSQL: write postgresql://USER@HOST:PORT/DATABASE or \"host=… "
      "dbname=…\"; "
      "a password goes into PGPASSWORD or ~/.pgpass");
}

// Also where "connection" holds a text with everything in it, and not just a database's name.
Result<ConnectionPtr> connect(const std::string& connection) {
  const std::array<const char*, 6> names = {"dbname",          "client_encoding", "application_name",
                                            "connect_timeout", "keepalives_idle", nullptr};
  const std::array<const char*, 6> values = {
      connection.c_str(), "UTF8", "waybill import", "10", "30", nullptr};
  const bool has_text = !connection.empty();
  ConnectionPtr made(
      PQconnectdbParams(names.data() + (has_text ? 0 : 1), values.data() + (has_text ? 0 : 1), 1));
  if (PQstatus(made.get()) == CONNECTION_OK) {
    const ResultPtr set(PQexec(made.get(), settings));
    if (PQresultStatus(set.get()) == PGRES_COMMAND_OK) {
      return made;
    }
  }
  // A server that cannot be reached, or that is just starting, may be there later.
  const char* const host = PQhost(made.get());
  const std::string words = words_of(PQerrorMessage(made.get()));
  const bool is_refused = words.find("FATAL:") != std::string::npos &&
                          words.find("starting up") == std::string::npos &&
                          words.find("shutting down") == std::string::npos;
  return Error{is_refused ? ErrorKind::invalid : ErrorKind::unavailable,
               "PostgreSQL" +
                   (host == nullptr || *host == '\0' ? std::string() : " at " + std::string(host)) + ": " +
                   words,
               {}};
}

}  // namespace

struct Rows::State {
  ResultPtr result;
};

Rows::Rows(std::unique_ptr<State> state) : state_(std::move(state)) {}
Rows::Rows(Rows&& other) noexcept = default;
Rows& Rows::operator=(Rows&& other) noexcept = default;
Rows::~Rows() = default;

std::size_t Rows::count() const {
  return static_cast<std::size_t>(PQntuples(state_->result.get()));
}

std::size_t Rows::columns() const {
  return static_cast<std::size_t>(PQnfields(state_->result.get()));
}

std::string Rows::column_name(std::size_t column) const {
  return PQfname(state_->result.get(), static_cast<int>(column));
}

uint32_t Rows::column_type(std::size_t column) const {
  return PQftype(state_->result.get(), static_cast<int>(column));
}

int Rows::column_modifier(std::size_t column) const {
  return PQfmod(state_->result.get(), static_cast<int>(column));
}

std::optional<std::string_view> Rows::at(std::size_t row, std::size_t column) const {
  const auto* const result = state_->result.get();
  const int r = static_cast<int>(row);
  const int c = static_cast<int>(column);
  if (PQgetisnull(result, r, c) == 1) {
    return {};
  }
  return std::string_view(PQgetvalue(result, r, c), static_cast<std::size_t>(PQgetlength(result, r, c)));
}

std::string Rows::text(std::size_t row, std::size_t column) const {
  return std::string(at(row, column).value_or(""));
}

int64_t Rows::integer(std::size_t row, std::size_t column) const {
  const auto value = at(row, column).value_or("");
  int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

struct Database::State {
  std::string text;
  ConnectionPtr connection;

  Error error_of(const PGresult* result) const {
    const bool is_lost = PQstatus(connection.get()) != CONNECTION_OK;
    const char* const code = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
    // 57P..: somebody shuts the server down, or ends this session.
    const bool is_ended = code != nullptr && std::string_view(code).starts_with("57P");
    return {is_lost || is_ended ? ErrorKind::unavailable : ErrorKind::invalid,
            "PostgreSQL: " +
                words_of(result == nullptr ? PQerrorMessage(connection.get()) : PQresultErrorMessage(result)),
            code == nullptr ? "" : code};
  }

  Result<Rows> judge(ResultPtr result) const {
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      return error_of(result.get());
    }
    auto state = std::make_unique<Rows::State>();
    state->result = std::move(result);
    return Rows(std::move(state));
  }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& connection) {
  WAYBILL_TRY(check_text(connection));
  auto state = std::make_unique<State>();
  state->text = connection;
  WAYBILL_TRY_ASSIGN(state->connection, connect(connection));
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

Status Database::reconnect() {
  WAYBILL_TRY_ASSIGN(state_->connection, connect(state_->text));
  return {};
}

Status Database::begin(const std::string& statement, const std::vector<std::string>& parameters) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const auto& parameter : parameters) {
    values.push_back(parameter.c_str());
  }
  const int sent =
      PQsendQueryParams(state_->connection.get(), statement.c_str(), static_cast<int>(values.size()), nullptr,
                        values.data(), nullptr, nullptr, 0);
  return sent == 1 ? Status() : state_->error_of(nullptr);
}

// The last result counts; there is one, and an empty one behind it.
Result<Rows> Database::finish() {
  ResultPtr last;
  while (ResultPtr next{PQgetResult(state_->connection.get())}) {
    last = std::move(next);
  }
  if (last == nullptr) {
    return state_->error_of(nullptr);
  }
  return state_->judge(std::move(last));
}

Result<Rows> Database::run(const std::string& statement, const std::vector<std::string>& parameters) {
  WAYBILL_TRY(begin(statement, parameters));
  return finish();
}

Status Database::run_together(const std::vector<std::string>& statements) {
  WAYBILL_TRY(run("BEGIN"));
  for (const auto& statement : statements) {
    if (auto done = run(statement); !done) {
      static_cast<void>(run("ROLLBACK"));
      return std::move(done).error();
    }
  }
  WAYBILL_TRY(run("COMMIT"));
  return {};
}

Result<bool> Database::wait_for_notice(int timeout_ms) {
  PGconn* const connection = state_->connection.get();
  const auto take = [&] {
    bool found = false;
    while (const std::unique_ptr<PGnotify, NoticeDeleter> notice{PQnotifies(connection)}) {
      found = true;
    }
    return found;
  };
  if (take()) {
    return true;
  }
  pollfd waited{PQsocket(connection), POLLIN, 0};
  if (waited.fd < 0) {
    return Error{ErrorKind::unavailable, "PostgreSQL: the connection is lost", {}};
  }
  if (::poll(&waited, 1, timeout_ms) > 0 && PQconsumeInput(connection) == 0) {
    return state_->error_of(nullptr);
  }
  return take();
}

}  // namespace waybill::intake
