#include "intake/session.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "http/sha256.h"
#include "intake/array_text.h"
#include "intake/server_client.h"
#include "intake/sql.h"
#include "intake/target_shape.h"

namespace waybill::intake {
namespace {

using contract::Problem;

constexpr int64_t first_patience_ms = 5'000;

std::vector<std::string> texts_of(const contract::Names& names) {
  std::vector<std::string> texts;
  for (const auto& name : names) {
    texts.push_back(name.text);
  }
  return texts;
}

// All that decides what an item is. The text of the file is not it: a comment changes nothing.
std::string fingerprint_of(const Mapping& mapping, const Shape& shape) {
  std::string text =
      relation_of(mapping.source) + "\n" + array_text(texts_of(mapping.source.key)) + "\n" + shape.table;
  const auto add_given = [&](const std::optional<Given>& given) {
    text += given ? "=" + given->encoded : "-";
    for (const auto& part :
         given && given->text ? given->text->parts() : std::vector<contract::TextTemplate::Part>()) {
      text += (part.is_field ? "{" : "'") + part.text + ":" + std::to_string(part.width);
    }
  };
  for (const auto& attribute : mapping.attributes) {
    text += "\n" + attribute.name + " " + attribute.column + " " + attribute.time_column + " " +
            std::to_string(static_cast<int>(attribute.kind)) + " " +
            std::to_string(static_cast<int>(attribute.element)) + " " +
            std::to_string(static_cast<int>(attribute.precision)) + " ";
    add_given(attribute.value);
    add_given(attribute.if_null);
  }
  return hex_lower(http::bytes_of(http::sha256(text)));
}

constexpr const char* unique_key_statement =
    "SELECT 1 FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisunique AND i.indisvalid "
    "AND i.indpred IS NULL AND i.indexprs IS NULL AND (SELECT array_agg(a.attname::text ORDER BY "
    "a.attname::text) "
    "FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnotnull "
    "AND a.attnum = ANY((i.indkey::int2[])[0:i.indnkeyatts - 1])) = "
    "(SELECT array_agg(k ORDER BY k) FROM unnest($2::text[]) AS k)";

}  // namespace

Session::Session(Mapping mapping, Settings settings, const Clock& clock, const StopFlag& stop)
    : mapping_(std::move(mapping)),
      settings_(std::move(settings)),
      clock_(clock),
      stop_(stop),
      patience_(clock, stop, settings_.patience_ms) {}

Result<std::unique_ptr<Session>> Session::open(Mapping mapping, Settings settings, const Clock& clock,
                                               const StopFlag& stop, contract::Problems& problems) {
  std::unique_ptr<Session> made(new Session(std::move(mapping), std::move(settings), clock, stop));
  WAYBILL_TRY_ASSIGN(const auto client, ServerClient::open(made->settings_.endpoint, clock));
  // Whoever has just typed a wrong address should not have to wait for long.
  const Patience at_first(clock, stop, std::min<int64_t>(made->settings_.patience_ms, first_patience_ms));
  WAYBILL_TRY_ASSIGN(made->shape_,
                     at_first.keep_trying([&] { return find_shape(*client, made->mapping_.target); }));
  WAYBILL_TRY_ASSIGN(made->database_,
                     at_first.keep_trying([&] { return Database::open(made->settings_.connection); }));
  WAYBILL_TRY(made->find_schema());
  std::vector<Column> columns;
  WAYBILL_TRY(made->find_columns(columns));
  made->columns_ = {};
  for (const auto& column : columns) {
    made->columns_.push_back(column.name);
  }
  made->mapper_ =
      std::make_unique<const RowMapper>(RowMapper::compile(made->mapping_, made->shape_, columns, problems));
  WAYBILL_TRY(made->check_key(problems));
  made->fingerprint_ = fingerprint_of(made->mapping_, made->shape_);
  return made;
}

Status Session::find_schema() {
  const Source& source = mapping_.source;
  if (source.table.empty()) {
    return {};
  }
  Source table = source;
  table.query.clear();
  WAYBILL_TRY_ASSIGN(const auto found,
                     database_->run("SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = "
                                    "c.relnamespace WHERE c.oid = to_regclass($1)",
                                    {relation_of(table)}));
  if (found.count() == 0) {
    return invalid("PostgreSQL has no table " + relation_of(table) + " that this user can see");
  }
  changes_.emplace(mapping_, found.text(0, 0));
  return {};
}

// Those that the mapping reads, as far as they are there, the key's first.
Status Session::find_columns(std::vector<Column>& columns) {
  WAYBILL_TRY_ASSIGN(const auto described, database_->run(columns_statement(mapping_.source)));
  for (const auto& name : columns_of(mapping_)) {
    for (std::size_t at = 0; at < described.columns(); ++at) {
      if (described.column_name(at) == name) {
        columns.push_back({name, described.column_type(at), true});
      }
    }
  }
  WAYBILL_TRY(find_key_types(described));
  return mapping_.source.query.empty() ? find_nulls(columns) : Status();
}

Status Session::find_nulls(std::vector<Column>& columns) {
  WAYBILL_TRY_ASSIGN(const auto found,
                     database_->run("SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass "
                                    "AND attnotnull AND attnum > 0 AND NOT attisdropped",
                                    {relation_of(mapping_.source)}));
  for (std::size_t row = 0; row < found.count(); ++row) {
    const auto column = std::ranges::find(columns, found.text(row, 0), &Column::name);
    if (column != columns.end()) {
      column->may_be_null = false;
    }
  }
  return {};
}

Status Session::find_key_types(const Rows& described) {
  for (const auto& name : mapping_.source.key) {
    for (std::size_t at = 0; at < described.columns(); ++at) {
      if (described.column_name(at) == name.text) {
        WAYBILL_TRY_ASSIGN(const auto type, database_->run("SELECT format_type($1::oid, NULL)",
                                                           {std::to_string(described.column_type(at))}));
        key_types_.push_back(type.text(0, 0));
      }
    }
  }
  return {};
}

// Pages go by the key: rows whose key is NULL, or there twice, would be passed over.
Status Session::check_key(contract::Problems& problems) {
  const Source& source = mapping_.source;
  for (const auto& name : source.key) {
    if (std::ranges::find(columns_, name.text) == columns_.end()) {
      problems.push_back({Problem::Weight::error, name.place,
                          "the source's key \"" + name.text + "\" is no column of it",
                          "write one of its columns"});
      return {};
    }
  }
  const bool is_table = source.query.empty();
  const auto found =
      is_table ? database_->run(unique_key_statement, {relation_of(source), array_text(texts_of(source.key))})
               : database_->run(key_flaw_statement(source));
  if (!found) {
    return found.error();
  }
  if ((found->count() > 0) != is_table) {
    problems.push_back({Problem::Weight::error, source.key.front().place,
                        is_table ? "no unique index without NULLs is on the source's key"
                                 : "the query has rows whose key is NULL, or there twice",
                        "write the columns of the primary key"});
  }
  return {};
}

Result<bool> Session::is_prepared() {
  if (!changes_) {
    return false;
  }
  WAYBILL_TRY_ASSIGN(const auto found, run(changes_->exists_statement()));
  return found.text(0, 0) == "t";
}

// The session of an import that was killed takes the database a moment to end.
Status Session::lock() {
  constexpr int64_t moment_ms = 3'000;
  const int64_t begun_ms = clock_.steady_ms();
  auto locked = try_lock();
  while (!locked && locked.error().kind == ErrorKind::in_use && !stop_.load() &&
         clock_.steady_ms() - begun_ms < moment_ms) {
    patience_.wait_ms(Patience::retry_ms(0));
    locked = try_lock();
  }
  return locked;
}

Status Session::try_lock() {
  const std::string name = changes_ ? changes_->name() : relation_of(mapping_.source) + shape_.table;
  WAYBILL_TRY_ASSIGN(const auto taken,
                     database_->run("SELECT pg_try_advisory_lock(hashtextextended($1, 7))", {name}));
  if (taken.text(0, 0) != "t") {
    return Error{ErrorKind::in_use, "another import with this mapping is running; end it first", {}};
  }
  is_locked_ = true;
  return {};
}

Status Session::reconnect() {
  return patience_.keep_trying([&]() -> Status {
    WAYBILL_TRY(database_->reconnect());
    auto locked = is_locked_ ? lock() : Status();
    if (!locked && locked.error().kind == ErrorKind::in_use) {
      return Error{ErrorKind::unavailable, locked.error().message, {}};
    }
    WAYBILL_TRY(std::move(locked));
    for (const auto& statement : always_) {
      WAYBILL_TRY(database_->run(statement));
    }
    return {};
  });
}

Status Session::run_always(const std::string& statement) {
  always_.push_back(statement);
  WAYBILL_TRY(run(statement));
  return {};
}

Result<Rows> Session::run(const std::string& statement, const std::vector<std::string>& parameters) {
  auto done = database_->run(statement, parameters);
  while (!done && done.error().kind == ErrorKind::unavailable && !stop_.load()) {
    WAYBILL_TRY(reconnect());
    done = database_->run(statement, parameters);
  }
  return done;
}

Result<uint64_t> Session::count_rows() {
  WAYBILL_TRY_ASSIGN(const auto counted, run(count_statement(mapping_.source)));
  return static_cast<uint64_t>(counted.integer(0, 0));
}

std::vector<std::optional<std::string_view>> Session::values(const Rows& rows, std::size_t row) const {
  std::vector<std::optional<std::string_view>> values(columns_.size());
  for (std::size_t at = 0; at < values.size(); ++at) {
    values[at] = rows.at(row, at);
  }
  return values;
}

std::vector<std::string> Session::key_values(const Rows& rows, std::size_t row) const {
  std::vector<std::string> key;
  key.reserve(mapping_.source.key.size());
  for (std::size_t at = 0; at < mapping_.source.key.size(); ++at) {
    key.push_back(rows.text(row, at));
  }
  return key;
}

std::string Session::row_name(const std::vector<std::string>& key) const {
  std::string name;
  for (std::size_t at = 0; at < key.size(); ++at) {
    name += (at == 0 ? "" : ",") + mapping_.source.key[at].text + "=" + key[at];
  }
  return name;
}

}  // namespace waybill::intake
