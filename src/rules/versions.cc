// Which versions of one thing there are, so that the newest can be kept however they are numbered.
#include <charconv>
#include <set>
#include <utility>

#include "item/number.h"
#include "rules/adopt.h"
#include "rules/effects.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

using Versions = std::set<int64_t>;

// The versions of one thing: records whose keys differ in one number alone.
struct Series {
  item::Item row;            // key of the row that tells of them
  const std::string* field;  // that counts
  item::Item others;         // the other fields of the key
  int64_t version = 0;       // of the record at hand
};

// The part of the key that counts versions: the one that is a whole number and not what they are counted by.
const std::string* version_field(const KindPlan& kind, const contract::Record::KeepLatest& keep) {
  for (const auto& name : kind.kind->key_fields) {
    const auto* const field = kind.record->find(name);
    if (field != nullptr && field->type == contract::FieldType::integer && name != keep.by.text) {
      return &name;
    }
  }
  return nullptr;
}

std::optional<Series> series_of(const Happening& happening) {
  const auto& keep = happening.kind.record->keep_latest;
  const std::string* const name = keep ? version_field(happening.kind, *keep) : nullptr;
  if (name == nullptr) {
    return {};
  }
  const item::ItemView record =
      happening.proposal.after ? *happening.proposal.after : *happening.proposal.before;
  Series series{{}, name, {}, 0};
  std::string rest;
  for (const auto& field : happening.kind.kind->key_fields) {
    const auto part = record.find(field);
    if (!part) {
      return {};
    }
    if (field == *name) {
      if (part->type() != item::Type::number ||
          !item::Decimal::from_normal(part->bytes()).to_int64(series.version)) {
        return {};
      }
      continue;
    }
    item::append_attribute(series.others.encoded, field, *part);
    rest.append("/").append(std::to_string(part->bytes().size())).append(":").append(part->bytes());
  }
  add_string(series.row, "series",
             happening.plan.deployed->contract.name + "/" + happening.kind.record->name + rest);
  return series;
}

Result<Versions> read_versions(const Series& series, const store::Ground& ground) {
  Versions versions;
  const auto table = ground.find_table(versions_table);
  if (!table) {
    return versions;
  }
  WAYBILL_TRY_ASSIGN(const auto row, ground.get(*table, table::primary_key(table->key, series.row.view())));
  const auto value = row ? row->view().find("versions") : std::nullopt;
  std::string_view text = value ? value->bytes() : std::string_view();
  while (!text.empty()) {
    int64_t version = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
    versions.insert(version);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return versions;
}

void write_versions(const Series& series, const Versions& versions, const store::Ground& ground,
                    store::Effects& effects) {
  if (versions.empty()) {
    remove_row(versions_table, series.row, ground, effects);
    return;
  }
  std::string text;
  for (const int64_t version : versions) {
    text.append(text.empty() ? "" : ",").append(std::to_string(version));
  }
  item::Item row = series.row;
  add_string(row, "versions", text);
  put_row(versions_table, std::move(row), ground, effects);
}

Result<std::optional<item::Item>> find_version(const Happening& happening, const Series& series,
                                               int64_t version, const store::Ground& ground) {
  if (version == series.version) {
    return std::optional(item::Item{std::string(happening.proposal.after->encoded())});
  }
  item::Item fields = series.others;
  add_number(fields, *series.field, version);
  const auto key = key_of_fields(*happening.plan.deployed, *happening.kind.kind, fields.view());
  if (!key) {
    return std::optional<item::Item>();
  }
  const auto& table = happening.proposal.table;
  return ground.get(table, table::primary_key(table.key, key->view()));
}

}  // namespace

// What the row tells of may be gone, where the contract was out of force for a while: so they are looked up.
Result<std::vector<item::Item>> versions_too_old(const Happening& happening, const store::Ground& ground) {
  std::vector<item::Item> there;
  const auto series =
      happening.is_created() && !is_adopted(happening.proposal.author) ? series_of(happening) : std::nullopt;
  if (!series) {
    return there;
  }
  const auto kept = static_cast<std::size_t>(happening.kind.record->keep_latest->count);
  WAYBILL_TRY_ASSIGN(auto versions, read_versions(*series, ground));
  versions.insert(series->version);
  if (versions.size() <= kept) {
    return there;
  }
  for (const int64_t version : versions) {
    WAYBILL_TRY_ASSIGN(auto found, find_version(happening, *series, version, ground));
    if (found) {
      there.push_back(*std::move(found));
    }
  }
  there.resize(there.size() > kept ? there.size() - kept : 0);
  return there;
}

Status add_version(const Happening& happening, const std::vector<item::Item>& going,
                   const store::Ground& ground, store::Effects& effects) {
  const bool counts = happening.is_created() || happening.is_removed();
  const auto series = counts ? series_of(happening) : std::nullopt;
  if (!series) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(auto versions, read_versions(*series, ground));
  const auto before = versions;
  if (happening.is_created()) {
    versions.insert(series->version);
  } else {
    versions.erase(series->version);
  }
  for (const auto& old : going) {
    int64_t version = 0;
    if (const auto value = old.view().find(*series->field);
        value && item::Decimal::from_normal(value->bytes()).to_int64(version)) {
      versions.erase(version);
    }
  }
  if (versions != before) {
    write_versions(*series, versions, ground, effects);
  }
  return {};
}

}  // namespace waybill::rules
