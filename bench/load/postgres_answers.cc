#include <charconv>

#include "load/postgres_dialect.h"
#include "load/postgres_row.h"

namespace waybill::load {
namespace {

Error difference(std::string_view what, std::string_view expected, std::string_view got) {
  return invalid(std::string(what) + ": expected '" + excerpt(expected) + "', got '" + excerpt(got) + "'");
}

// How many rows the statements of a write must have touched together.
Status check_tags(const Request& request, std::string_view body) {
  uint64_t touched = 0;
  while (const auto message = postgres::take_message(body)) {
    if (message->type == 'C') {
      const auto tag = message->content.substr(0, message->content.find('\0'));
      const auto digits = tag.substr(tag.rfind(' ') + 1);
      uint64_t rows = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), rows);
      touched += rows;
    }
  }
  return touched == request.count
             ? Status()
             : difference("rows touched", std::to_string(request.count), std::to_string(touched));
}

}  // namespace

Result<FoundItem> PostgresDialect::check_row(std::string_view data_row) {
  const auto got = postgres::columns_of(data_row);
  if (got.size() != postgres::columns.size()) {
    return difference("columns", std::to_string(postgres::columns.size()), std::to_string(got.size()));
  }
  const auto id = id_of(got[0]);
  const auto status = status_named(got[postgres::status_column]);
  if (!id || !status) {
    return difference("job_id and status", "known ones",
                      std::string(got[0]) + " " + std::string(got[postgres::status_column]));
  }
  int64_t updated_at_ms = 0;
  const auto updated_at = got[postgres::updated_at_column];
  std::from_chars(updated_at.data(), updated_at.data() + updated_at.size(), updated_at_ms);

  Job job;
  make_job(options_.population, *id, job);
  if (options_.corrupt_expectation) {
    job.correlation_id.data()[0] = 'x';
  }
  Status result;
  std::size_t at = 0;
  const auto compare = [&](auto value) {
    std::string expected;
    if constexpr (std::is_same_v<decltype(value), int64_t>) {
      expected = std::to_string(value);
    } else {
      expected = value;
    }
    if (result && expected != got[at]) {
      result = difference(postgres::columns[at].name, expected, got[at]);
    }
    ++at;
  };
  postgres::visit_row(job, *status, updated_at_ms, scratch_, compare);
  WAYBILL_TRY(std::move(result));
  return FoundItem{*id, *status};
}

Result<std::vector<FoundItem>> PostgresDialect::read_items(const Request& request, std::string_view body) {
  std::vector<FoundItem> found;
  if (writes(request.operation)) {
    WAYBILL_TRY(check_tags(request, body));
    return found;
  }
  while (const auto message = postgres::take_message(body)) {
    if (message->type == 'D') {
      WAYBILL_TRY_ASSIGN(const auto checked, check_row(message->content));
      found.push_back(checked);
    }
  }
  return found;
}

}  // namespace waybill::load
