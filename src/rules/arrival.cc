#include "rules/arrival.h"

#include <map>
#include <optional>
#include <utility>

#include "base/log.h"
#include "rules/draft.h"
#include "rules/message.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

struct Waiting {
  OutgoingMessage message;
  bool is_sent = false;
};
using WaitingByPath = std::map<std::string, Waiting>;

std::string text_of(item::ItemView members, std::string_view name) {
  const auto value = members.find(name);
  return value && value->type() == item::Type::string ? std::string(value->bytes()) : std::string();
}

item::Item key_of(const ObjectName& object) {
  item::Item key;
  add_string(key, "object", object.bucket + "/" + object.key);
  return key;
}

Waiting read_one(item::ItemView members) {
  Waiting waiting;
  waiting.message = {text_of(members, "queue"), text_of(members, "body"), text_of(members, "group"),
                     "waybill"};
  const auto sent = members.find("sent");
  waiting.is_sent = sent && sent->type() == item::Type::boolean && sent->boolean();
  return waiting;
}

Result<WaitingByPath> read_row(const ObjectName& object, const store::Ground& ground) {
  WaitingByPath found;
  const auto table = ground.find_table(arrivals_table);
  if (!table) {
    return found;
  }
  WAYBILL_TRY_ASSIGN(const auto row,
                     ground.get(*table, table::primary_key(table->key, key_of(object).view())));
  const auto waiting = row ? row->view().find("waiting") : std::nullopt;
  if (waiting && waiting->type() == item::Type::map) {
    for (item::AttributeCursor cursor(waiting->members()); cursor.next();) {
      found.emplace(cursor.name(), read_one(cursor.value().members()));
    }
  }
  return found;
}

void append_one(std::string& out, const Waiting& waiting) {
  const auto mark = item::open_container(out, item::Type::map);
  for (const auto& [name, value] :
       {std::pair<std::string_view, const std::string&>{"queue", waiting.message.queue},
        {"body", waiting.message.body},
        {"group", waiting.message.group}}) {
    item::append_name(out, name);
    item::append_scalar(out, item::Type::string, value);
  }
  item::append_name(out, "sent");
  item::append_boolean(out, waiting.is_sent);
  item::close_container(out, mark);
}

void write_row(const ObjectName& object, const WaitingByPath& waiting, const store::Ground& ground,
               store::Effects& effects) {
  item::Item row = key_of(object);
  if (waiting.empty()) {
    remove_row(arrivals_table, row, ground, effects);
    return;
  }
  item::append_name(row.encoded, "waiting");
  const auto mark = item::open_container(row.encoded, item::Type::map);
  for (const auto& [path, one] : waiting) {
    item::append_name(row.encoded, path);
    append_one(row.encoded, one);
  }
  item::close_container(row.encoded, mark);
  put_row(arrivals_table, std::move(row), ground, effects);
}

void send(const std::string& path, Waiting& waiting, store::Ground& ground, store::Effects& effects) {
  waiting.is_sent = true;
  effects.push_back(make_message(waiting.message, ground));
  add_arrival_line(path, ground, effects);
}

Result<bool> is_there(const ObjectName& object, const store::Ground& ground) {
  const auto table = ground.find_table(objects_table);
  if (!table) {
    return false;
  }
  item::Item key;
  add_string(key, "bucket", object.bucket);
  add_string(key, "key", object.key);
  WAYBILL_TRY_ASSIGN(const auto row, ground.get(*table, table::primary_key(table->key, key.view())));
  return row.has_value();
}

// The object that a record in this state waits for; nothing where it waits for none.
std::optional<ObjectName> awaited(const KindPlan& kind, const Slots& record, const std::string& state) {
  if (kind.record->status && state != kind.record->status->start.text) {
    return {};
  }
  auto bucket = kind.arrival_bucket->text(record);
  auto key = kind.arrival_key->text(record);
  if (!bucket || !key) {
    return {};
  }
  return ObjectName{*std::move(bucket), *std::move(key)};
}

Status stop_waiting(const ObjectName& object, const std::string& path, const store::Ground& ground,
                    store::Effects& effects) {
  WAYBILL_TRY_ASSIGN(auto waiting, read_row(object, ground));
  if (waiting.erase(path) != 0) {
    write_row(object, waiting, ground, effects);
  }
  return {};
}

Status wait(const Happening& happening, const ObjectName& object, store::Ground& ground,
            store::Effects& effects) {
  WAYBILL_TRY_ASSIGN(auto waiting, read_row(object, ground));
  if (waiting.size() >= waiting_max && !waiting.contains(happening.path)) {
    log_warning("too many records wait for the object " + object.bucket + "/" + object.key + ": " +
                happening.path + " is not enqueued when it comes");
    return {};
  }
  Waiting& one = waiting[happening.path];
  one.message = {happening.kind.kind->queue, envelope(happening),
                 text_in(happening.after, happening.kind.tenant), "waybill"};
  one.is_sent = one.is_sent || is_announced(happening);
  // What is imported is work of elsewhere, until an object is written here.
  if (!one.is_sent && !is_imported(happening.proposal.author)) {
    WAYBILL_TRY_ASSIGN(const bool has_come, is_there(object, ground));
    if (has_come) {
      send(happening.path, one, ground, effects);
    }
  }
  write_row(object, waiting, ground, effects);
  return {};
}

}  // namespace

Status add_arrival(const ObjectName& object, store::Ground& ground, store::Effects& effects) {
  WAYBILL_TRY_ASSIGN(auto waiting, read_row(object, ground));
  bool changed = false;
  for (auto& [path, one] : waiting) {
    if (!one.is_sent) {
      send(path, one, ground, effects);
      changed = true;
    }
  }
  if (changed) {
    write_row(object, waiting, ground, effects);
  }
  return {};
}

Status add_waiting(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  const KindPlan& kind = happening.kind;
  if (!kind.arrival_bucket) {
    return {};
  }
  const auto before =
      happening.proposal.before ? awaited(kind, happening.before, happening.from) : std::nullopt;
  const auto after = happening.proposal.after ? awaited(kind, happening.after, happening.to) : std::nullopt;
  if (before && before != after) {
    WAYBILL_TRY(stop_waiting(*before, happening.path, ground, effects));
  }
  return after ? wait(happening, *after, ground, effects) : Status();
}

}  // namespace waybill::rules
