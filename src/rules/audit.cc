#include "rules/audit.h"

#include <openssl/sha.h>

#include <array>
#include <map>
#include <utility>

#include "base/iso_time.h"
#include "item/plain_json.h"
#include "rules/effects.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

struct TrailEnd {
  std::string hash{first_hash};
  int64_t count = 0;
  int64_t time_ms = 0;
};

int64_t whole(std::optional<item::ValueView> value) {
  int64_t number = 0;
  if (value && value->type() == item::Type::number) {
    item::Decimal::from_normal(value->bytes()).to_int64(number);
  }
  return number;
}

Result<TrailEnd> end_of(const std::string& trail, const store::Ground& ground) {
  TrailEnd end;
  const auto table = ground.find_table(trails_table);
  if (!table) {
    return end;
  }
  item::Item key;
  add_string(key, "trail", trail);
  WAYBILL_TRY_ASSIGN(const auto row, ground.get(*table, table::primary_key(table->key, key.view())));
  if (row) {
    end.hash = row->view().find("hash")->bytes();
    end.count = whole(row->view().find("count"));
    end.time_ms = whole(row->view().find("at"));
  }
  return end;
}

std::string_view action_of(const Happening& happening) {
  if (!happening.proposal.author.operation.empty()) {
    return happening.proposal.author.operation;
  }
  if (happening.is_created()) {
    return "create";
  }
  return happening.is_removed() ? (happening.proposal.expired ? "expire" : "remove") : "change";
}

// Who did what to which record, and why; not what the record holds.
void append_details(std::string& out, const Happening& happening) {
  const auto mark = item::open_container(out, item::Type::map);
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) {
      item::append_name(out, name);
      item::append_scalar(out, item::Type::string, value);
    }
  };
  add("record", happening.path);
  add("from", happening.is_moved() ? happening.from : "");
  add("to", happening.is_moved() ? happening.to : "");
  add("why", happening.proposal.author.why);
  if (happening.kind.record->role == contract::Role::audit) {
    add("line", sha256_hex(item::to_plain_json(*happening.proposal.after)));
  }
  item::close_container(out, mark);
}

struct Trail {
  std::string name;
  uint16_t by;  // the slot whose value it is of
};

// In the contract's own table where it has a place for them, else in the journal.
std::string_view table_of_lines(const Happening& happening) {
  const bool has_own = happening.plan.find_role(contract::Role::audit) != nullptr;
  return has_own ? std::string_view(happening.plan.deployed->table) : journal_table;
}

// A line with its key, its time and who it is by. The time is part of the key: it is moved on until no line
// has it.
Result<item::Item> begin_line(const Happening& happening, const Trail& trail, TrailEnd& end,
                              const store::Ground& ground) {
  const KindPlan* const own = happening.plan.find_role(contract::Role::audit);
  if (own == nullptr) {
    item::Item line;
    add_string(line, "record", "audit/" + trail.name);
    add_number(line, "seq", end.count + 1);
    add_string(line, "ts", iso_time(end.time_ms));
    add_string(line, "actor", happening.proposal.author.name);
    return line;
  }
  for (;; ++end.time_ms) {
    item::Item fields;
    add_string(fields, happening.kind.names.name(trail.by), text_in(happening.last(), trail.by));
    add_string(fields, "ts", iso_time(end.time_ms));
    add_string(fields, "actor", happening.proposal.author.name);
    WAYBILL_TRY_ASSIGN(auto line, key_of_fields(*happening.plan.deployed, *own->kind, fields.view()));
    const auto& table = happening.proposal.table;
    WAYBILL_TRY_ASSIGN(const auto taken, ground.get(table, table::primary_key(table.key, line.view())));
    if (!taken) {
      return line;
    }
  }
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  // The library counts in bytes, whatever they mean.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  const std::string_view hex = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += hex[byte >> 4U];
    text += hex[byte & 0xFU];
  }
  return text;
}

std::string hash_of_line(std::string_view previous, item::ItemView line) {
  std::map<std::string_view, item::ValueView> sorted;
  item::AttributeCursor cursor(line);
  while (cursor.next()) {
    if (cursor.name() != "hash") {
      sorted.emplace(cursor.name(), cursor.value());
    }
  }
  std::string text(previous);
  for (const auto& [name, value] : sorted) {
    text.append("\n").append(name).append("=");
    item::append_plain_json(text, value);
  }
  return sha256_hex(text);
}

Status add_audit(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  const KindPlan& kind = happening.kind;
  const bool is_clients_line = kind.record->role == contract::Role::audit && happening.is_created();
  const uint16_t by = is_clients_line ? kind.tenant : kind.audited_by;
  if (by == SlotNames::none) {
    return {};
  }
  const std::string whose = text_in(happening.last(), by);
  if (whose.empty()) {
    return {};
  }
  const Trail trail{happening.plan.deployed->contract.name + "/" + whose, by};
  WAYBILL_TRY_ASSIGN(auto end, end_of(trail.name, ground));
  end.time_ms = std::max(ground.now_ms(), end.time_ms + 1);
  WAYBILL_TRY_ASSIGN(auto line, begin_line(happening, trail, end, ground));
  add_string(line, "action", action_of(happening));
  item::append_name(line.encoded, "details");
  append_details(line.encoded, happening);
  add_number(line, "number", end.count + 1);
  add_string(line, "previous", end.hash);
  const std::string hash = hash_of_line(end.hash, line.view());
  add_string(line, "hash", hash);
  put_row(table_of_lines(happening), std::move(line), ground, effects);
  item::Item row;
  add_string(row, "trail", trail.name);
  add_string(row, "hash", hash);
  add_number(row, "count", end.count + 1);
  add_number(row, "at", end.time_ms);
  put_row(trails_table, std::move(row), ground, effects);
  return {};
}

}  // namespace waybill::rules
