#include "load/postgres_dialect.h"

#include "load/postgres_row.h"

namespace waybill::load {

using postgres::BindWriter;

PostgresDialect::PostgresDialect(const DialectOptions& options)
    : options_(options),
      statements_(postgres::statements_for(options.table)),
      copy_command_(postgres::copy_command(options.table)) {}

Status PostgresDialect::converse(Socket& socket) {
  WAYBILL_TRY(socket.send_all(out_.view()));
  std::string received;
  std::size_t at = 0;
  while (true) {
    WAYBILL_TRY(socket.receive(received));
    auto rest = std::string_view(received).substr(at);
    while (const auto message = postgres::take_message(rest)) {
      at = received.size() - rest.size();
      if (message->type == 'E') {
        return invalid("PostgreSQL: " + postgres::error_text(message->content));
      }
      if (message->type == 'R' && message->content != std::string_view("\0\0\0\0", 4)) {
        return invalid("PostgreSQL asks for a password: use trust authentication");
      }
      if (message->type == 'Z') {
        return {};
      }
    }
  }
}

Status PostgresDialect::log_in(Socket& socket) {
  out_.clear();
  postgres::add_startup(out_, options_.target.user, options_.target.database);
  return converse(socket);
}

Status PostgresDialect::greet(Socket& socket) {
  WAYBILL_TRY(log_in(socket));
  out_.clear();
  for (const auto& statement : statements_) {
    postgres::add_parse(out_, statement.name, statement.sql, statement.parameter_types);
  }
  postgres::add_sync(out_);
  return converse(socket);
}

Status PostgresDialect::command(const std::string& sql) {
  WAYBILL_TRY_ASSIGN(auto socket, Socket::connect(options_.target));
  WAYBILL_TRY(log_in(socket));
  out_.clear();
  postgres::add_query(out_, sql);
  return converse(socket);
}

Status PostgresDialect::create_table() {
  for (const auto& sql : postgres::definition_of(options_.table)) {
    WAYBILL_TRY(command(sql));
  }
  return {};
}

Status PostgresDialect::settle_table() {
  return command("VACUUM ANALYZE " + options_.table);
}

void PostgresDialect::add_put(const ItemRef& item, int64_t now_ms) {
  Job job;
  make_job(options_.population, item.id, job);
  BindWriter bind(out_, postgres::put_statement, postgres::columns.size());
  postgres::visit_row(job, item.status, now_ms, scratch_, [&bind](auto value) { bind.parameter(value); });
}

// The rows are sent at once with the command, without waiting for the server to say that it will take them.
void PostgresDialect::add_copy(const Request& request) {
  postgres::add_query(out_, copy_command_);
  {
    const postgres::MessageWriter message(out_, 'd');
    for (uint32_t i = 0; i < request.count; ++i) {
      Job job;
      make_job(options_.population, request.items[0].id + i, job);
      char separator = '\0';
      const auto add_field = [this, &separator](auto value) {
        if (separator != '\0') {
          out_.add(separator);
        }
        separator = '\t';
        if constexpr (std::is_same_v<decltype(value), int64_t>) {
          out_.add_number(value);
        } else {
          out_.add(value);
        }
      };
      postgres::visit_row(job, first_status(job.id), first_updated_at_ms(job), scratch_, add_field);
      out_.add('\n');
    }
  }
  const postgres::MessageWriter done(out_, 'c');
}

void PostgresDialect::add_keys(const Request& request) {
  scratch_.clear();
  for (uint32_t i = 0; i < request.count; ++i) {
    scratch_.add(i == 0 ? '{' : ',').add(job_id_of(request.items[i].id).view());
  }
  scratch_.add('}');
  BindWriter(out_, postgres::batch_get_statement, 1).parameter(scratch_.view());
}

std::string_view PostgresDialect::write(const Request& request) {
  out_.clear();
  const auto& item = request.items[0];
  switch (request.operation) {
    case Operation::load:
      add_copy(request);
      return out_.view();
    case Operation::put:
    case Operation::put_new:
      add_put(item, request.now_ms);
      break;
    case Operation::update:
      BindWriter(out_, postgres::update_statement, 4)
          .parameter(job_id_of(item.id).view())
          .parameter(name_of(item.status))
          .parameter(request.now_ms)
          .parameter(name_of(request.expected_status));
      break;
    case Operation::remove:
      BindWriter(out_, postgres::delete_statement, 1).parameter(job_id_of(item.id).view());
      break;
    case Operation::query:
      BindWriter(out_, postgres::query_statement, 1).parameter(user_id_of(request.user).view());
      break;
    case Operation::transact_write:
    case Operation::batch_write:
      // Without BEGIN, what stands before one Sync is one transaction as well.
      if (request.operation == Operation::transact_write) {
        BindWriter(out_, postgres::begin_statement, 0);
      }
      for (uint32_t i = 0; i < request.count; ++i) {
        add_put(request.items[i], request.now_ms);
      }
      if (request.operation == Operation::transact_write) {
        BindWriter(out_, postgres::commit_statement, 0);
      }
      break;
    case Operation::batch_get:
      add_keys(request);
      break;
    case Operation::scan:
      BindWriter(out_, postgres::scan_statement, 1).parameter(request.after ? request.after->view() : "");
      break;
    default:
      BindWriter(out_, postgres::get_statement, 1).parameter(job_id_of(item.id).view());
      break;
  }
  postgres::add_sync(out_);
  return out_.view();
}

Result<Answer> PostgresDialect::read(const Request& request, std::string_view received) {
  // Long answers come in many pieces: most of them are seen at once not to be the last.
  constexpr std::string_view ready("Z\0\0\0\x05", 5);
  if (received.size() <= ready.size() || received.substr(received.size() - ready.size() - 1, 5) != ready) {
    return Answer{};
  }
  Answer answer;
  auto rest = received;
  while (const auto message = postgres::take_message(rest)) {
    if (message->type == 'E') {
      error_ = postgres::error_text(message->content);
      answer.outcome = Outcome::failed;
    } else if (message->type == 'C' && request.operation == Operation::update &&
               message->content.starts_with("UPDATE 0")) {
      answer.outcome = Outcome::refused;
    } else if (message->type == 'Z') {
      if (message->content != "I") {  // a transaction that failed half way: of no use any more
        return invalid(error_);
      }
      answer.bytes = received.size() - rest.size();
      answer.body = answer.outcome == Outcome::failed ? error_ : received.substr(0, answer.bytes);
      return answer;
    }
  }
  return Answer{};
}

void PostgresDialect::keep(const Answer& answer, Request& request) const {
  if (request.operation != Operation::scan) {
    return;
  }
  std::string_view last_row;
  auto rest = answer.body;
  while (const auto message = postgres::take_message(rest)) {
    last_row = message->type == 'D' ? message->content : last_row;
  }
  request.after.reset();
  if (!last_row.empty()) {
    request.after.emplace().add(postgres::columns_of(last_row)[0]);
  }
}

}  // namespace waybill::load
