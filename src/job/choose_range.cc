#include "job/choose_range.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "item/number.h"
#include "job/fields.h"
#include "job/key_text.h"
#include "table/key.h"

namespace waybill::job {

namespace {

using contract::Formula;
using contract::Record;
using contract::TextTemplate;
using Fields = std::map<std::string, std::string>;
using Templates = std::map<std::string, TextTemplate>;

// A way to find records.
struct Way {
  const table::Index* index = nullptr;
  const contract::Mirror* mirror = nullptr;
  table::KeySchema key;
  const Templates* templates = nullptr;  // of key attributes that are made of fields
};

// What is known of one key attribute.
struct KnownKey {
  std::string text;
  bool is_whole = false;
  std::vector<std::string> fields;  // that it is made of, as far as it is known
};

const TextTemplate* template_of(const Subject& subject, const Way& way, const std::string& attribute) {
  if (way.templates != nullptr) {
    const auto found = way.templates->find(attribute);
    if (found != way.templates->end()) {
      return &found->second;
    }
  }
  const auto* const field = subject.record().find(attribute);
  const bool is_text =
      field != nullptr && field->computed && field->computed->root().kind == Formula::Node::Kind::text;
  return is_text ? &field->computed->root().made : nullptr;
}

KnownKey known_key(const Subject& subject, const Way& way, const std::string& attribute,
                   const Fields& fields) {
  KnownKey known;
  const auto value_of = [&](const std::string& name) -> std::optional<std::string> {
    const auto given = fields.find(name);
    if (given == fields.end()) {
      return {};
    }
    known.fields.push_back(name);
    return given->second;
  };
  if (const auto* const text = template_of(subject, way, attribute);
      text != nullptr && !fields.contains(attribute)) {
    auto made = known_text(*subject.contract, *text, value_of);
    known.text = std::move(made.text);
    known.is_whole = made.is_whole;
    return known;
  }
  if (auto given = value_of(attribute)) {
    known.text = *std::move(given);
    known.is_whole = true;
  }
  return known;
}

Result<std::string> encoded(const table::KeyAttribute& attribute, const std::string& text) {
  std::string value;
  if (attribute.type != item::Type::number) {
    item::append_scalar(value, attribute.type, text);
    return value;
  }
  const auto number = item::Decimal::parse(text);
  if (!number) {
    return Error{ErrorKind::invalid, attribute.name + " is a number", attribute.name};
  }
  std::string normal;
  number->append_text(normal);
  item::append_scalar(value, item::Type::number, normal);
  return value;
}

struct Candidate {
  ChosenRange range;
  std::size_t used = 0;   // fields that are part of the keys
  bool is_owned = false;  // the partition is one owner's or tenant's
};

bool names_owner(const Record& record, const std::vector<std::string>& fields) {
  return std::ranges::any_of(fields, [&](const std::string& name) {
    return (record.tenant && record.tenant->text == name) || (record.owner && record.owner->text == name);
  });
}

// The sort key as far as it is known: all of it, or how a text begins.
Status add_sort(const Subject& subject, const Way& way, const Fields& fields, std::string& begin,
                std::vector<std::string>& used) {
  const auto known = known_key(subject, way, way.key.sort->name, fields);
  if (known.is_whole) {
    WAYBILL_TRY_ASSIGN(const auto value, encoded(*way.key.sort, known.text));
    table::append_sort(begin, item::ValueView(value.data()));
  } else if (way.key.sort->type != item::Type::number) {
    table::append_sort_prefix(begin, known.text);
  }
  std::ranges::copy(known.fields, std::back_inserter(used));
  return {};
}

// Nothing where the fields do not tell the partition.
Result<std::optional<Candidate>> candidate_of(const Subject& subject, const Way& way, const Fields& fields) {
  const auto partition = known_key(subject, way, way.key.partition.name, fields);
  // A partition that is the same for all records is no way to find some of them.
  if (!partition.is_whole || partition.fields.empty()) {
    return std::optional<Candidate>();
  }
  WAYBILL_TRY_ASSIGN(const auto value, encoded(way.key.partition, partition.text));
  Candidate candidate;
  candidate.range.index = way.index;
  candidate.range.mirror = way.mirror;
  candidate.is_owned = names_owner(subject.record(), partition.fields);
  auto& keys = candidate.range.keys;
  table::append_partition(keys.begin, item::ValueView(value.data()));
  std::vector<std::string> used = partition.fields;
  if (way.key.sort) {
    WAYBILL_TRY(add_sort(subject, way, fields, keys.begin, used));
  }
  keys.end = table::after_prefix(keys.begin);
  candidate.range.others = fields;
  for (const auto& name : used) {
    candidate.used += candidate.range.others.erase(name);
  }
  return std::optional(std::move(candidate));
}

std::vector<Way> ways_of(const Subject& subject, const table::Table& table) {
  std::vector<Way> ways;
  for (const auto& index : table.indexes) {
    if (!index.backfilling) {
      ways.push_back({&index, nullptr, index.key, nullptr});
    }
  }
  ways.push_back({nullptr, nullptr, table.key, &subject.record().key});
  for (const auto& mirror : subject.record().mirrors) {
    ways.push_back({nullptr, &mirror, table.key, &mirror.key});
  }
  return ways;
}

// "userId", "project_id and status": what a way wants to know at least.
std::string wanted_by(const Subject& subject, const Way& way) {
  const auto* const text = template_of(subject, way, way.key.partition.name);
  std::string names;
  const auto fields = text != nullptr ? text->fields() : std::vector<std::string>{way.key.partition.name};
  for (const auto& name : fields) {
    if (!rules::parameter(subject.contract->contract, name)) {
      names += (names.empty() ? "" : " and ") + name;
    }
  }
  return names;
}

Error none_fits(const Subject& subject, const std::vector<Way>& ways) {
  std::set<std::string> names;
  for (const auto& way : ways) {
    const auto* const field = subject.record().find(way.key.partition.name);
    const bool is_known =
        field != nullptr || template_of(subject, way, way.key.partition.name) != nullptr ||
        way.index == nullptr ||
        (subject.record().status && subject.record().status->field.text == way.key.partition.name);
    if (auto wanted = wanted_by(subject, way); is_known && !wanted.empty()) {
      names.insert(std::move(wanted));
    }
  }
  std::string all;
  for (const auto& name : names) {
    all += (all.empty() ? "" : ", or ") + name;
  }
  return invalid("Records are listed by their keys, not by going through all of them: give " + all);
}

// Whether items of the range have what is to be looked at.
bool shows(const Subject& subject, const table::Table& table, const ChosenRange& range,
           const std::string& name) {
  if (range.mirror != nullptr) {
    const auto& fields = range.mirror->fields;
    return std::ranges::any_of(fields, [&](const auto& field) { return field.text == name; });
  }
  static_cast<void>(subject);
  return range.index == nullptr || table::keeps_attribute(table, *range.index, name);
}

Status check_shown(const Subject& subject, const table::Table& table, const ChosenRange& range) {
  for (const auto& [name, value] : range.others) {
    if (!shows(subject, table, range, name)) {
      return Error{ErrorKind::invalid,
                   "Records cannot be listed by " + name + " this way: the index does not keep it", name};
    }
  }
  return {};
}

bool matches(const Templates& templates, item::ItemView item) {
  return std::ranges::all_of(templates, [&](const auto& entry) {
    const auto value = item.find(entry.first);
    return value && value->type() == item::Type::string && entry.second.match(value->bytes());
  });
}

}  // namespace

Result<ChosenRange> choose_range(const Subject& subject, const table::Table& table, const Fields& fields,
                                 const std::string& index) {
  WAYBILL_TRY(check_fields(subject, table, fields));
  if (!index.empty() && table.find_index(index) == nullptr) {
    return Error{ErrorKind::invalid, "There is no index " + index, "index"};
  }
  const auto ways = ways_of(subject, table);
  std::optional<Candidate> best;
  for (const auto& way : ways) {
    if (!index.empty() && (way.index == nullptr || way.index->name != index)) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(auto candidate, candidate_of(subject, way, fields));
    if (candidate &&
        (!best || std::pair(candidate->used, candidate->is_owned) > std::pair(best->used, best->is_owned))) {
      best = std::move(candidate);
    }
  }
  if (!best) {
    return none_fits(subject, ways);
  }
  WAYBILL_TRY(check_shown(subject, table, best->range));
  return std::move(best->range);
}

bool is_wanted(const Subject& subject, const ChosenRange& range, item::ItemView item) {
  const auto& templates = range.mirror != nullptr ? range.mirror->key : subject.record().key;
  return matches(templates, item) && has_values(item, range.others);
}

bool has_values(item::ItemView item, const Fields& fields) {
  return std::ranges::all_of(fields, [&](const auto& entry) {
    const auto value = item.find(entry.first);
    if (!value) {
      return false;
    }
    switch (value->type()) {
      case item::Type::string:
        return value->bytes() == entry.second;
      case item::Type::boolean:
        return entry.second == (value->boolean() ? "true" : "false");
      case item::Type::number: {
        const auto number = item::Decimal::parse(entry.second);
        return number && item::Decimal::compare(*number, item::Decimal::from_normal(value->bytes())) == 0;
      }
      default:
        return false;
    }
  });
}

Status check_fields(const Subject& subject, const table::Table& table, const Fields& fields) {
  const Record& record = subject.record();
  for (const auto& [name, value] : fields) {
    const bool is_status = record.status && record.status->field.text == name;
    const bool is_id = record.id && record.id->field.text == name;
    const auto& keys = subject.kind->key_fields;
    const bool is_key = std::ranges::find(keys, name) != keys.end() || table.key.has(name);
    if (record.find(name) == nullptr && !is_status && !is_id && !is_key) {
      return Error{ErrorKind::invalid, "A " + record.name + " has no field " + name, name};
    }
  }
  return {};
}

}  // namespace waybill::job
