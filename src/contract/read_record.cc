// The part of the reader that reads one kind of record.
#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

void read_id(Section& record, Record& made) {
  const Yaml* const yaml = record.take("id");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, record.what() + ": id", record.problems());
  const auto field = section.needed_name("field", "name the field that holds the id");
  const auto kind = section.choice("kind", {"ulid", "uuid4"});
  const auto prefix = section.name("prefix");
  if (field) {
    made.id = Record::Id{*field, kind == "uuid4" ? Record::Id::Kind::uuid4 : Record::Id::Kind::ulid,
                         prefix ? prefix->text : std::string()};
  }
}

void read_tags(Section& record, Record& made) {
  const Yaml* const yaml = record.take("tags");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, record.what() + ": tags", record.problems());
  const auto field = section.needed_name("field", "name the field that holds the tags");
  auto within = section.name("within");
  auto newest_by = section.name("newest_by");
  if (field) {
    made.tags = Record::Tags{*field, std::move(within), std::move(newest_by)};
  }
}

void read_idempotency(Section& record, Record& made) {
  const Yaml* const yaml = record.take("idempotency");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, record.what() + ": idempotency", record.problems());
  Idempotency rule;
  rule.place = yaml->place;
  rule.field = section.name("field");
  rule.hash_of = section.names("hash_of");
  rule.within = section.name("within");
  rule.record = section.name("record");
  if (section.need("keep", "say for how long a key is remembered, 72h for example") != nullptr) {
    rule.keep_s = section.duration_s("keep").value_or(0);
  }
  if (rule.field.has_value() == !rule.hash_of.empty()) {
    section.error(section.place(), section.what() + " needs a field or a list of fields to hash, one of both",
                  "write \"field: NAME\" or \"hash_of: [NAME, NAME]\"");
    return;
  }
  made.idempotency = std::move(rule);
}

void read_counters(Section& record, Record& made) {
  const Yaml* const yaml = record.take("counters");
  if (yaml == nullptr) {
    return;
  }
  for (const auto& [place, key, value] :
       read_entries(*yaml, record.what() + ": counters", record.problems())) {
    Section section(value, record.what() + ": the counter \"" + key + "\"", record.problems());
    const auto estimate = section.needed_name("estimate", "name the field with what is expected");
    const auto reserved = section.needed_name("reserved", "name the field with what is held back");
    const auto spent = section.needed_name("spent", "name the field with what was used");
    if (estimate && reserved && spent) {
      made.counters.push_back({key, *estimate, *reserved, *spent});
    }
  }
}

void read_events(Section& record, Record& made) {
  const Yaml* const yaml = record.take("events");
  if (yaml == nullptr) {
    return;
  }
  if (yaml->kind != Yaml::Kind::list) {
    record.error(yaml->place, record.what() + ": events are a list, not " + yaml->kind_text(),
                 "write one event a line, behind a dash");
    return;
  }
  for (const auto& item : yaml->items) {
    Section section(item, record.what() + ": an event", record.problems());
    Event event;
    event.place = item.place;
    section.need("on", "say which states it tells of, or \"create\"");
    for (auto& name : section.names("on")) {
      if (name.text == "create") {
        event.on_create = true;
      } else {
        event.on.push_back(std::move(name));
      }
    }
    const auto type = section.needed_name("type", "give it a type");
    if (const Yaml* const with = section.take("with")) {
      event.with = read_formulas(*with, section.what() + ": with", record.problems());
    }
    if (type) {
      event.type = type->text;
      made.events.push_back(std::move(event));
    }
  }
}

void read_mirrors(Section& record, Record& made) {
  const Yaml* const yaml = record.take("mirrors");
  if (yaml == nullptr) {
    return;
  }
  for (const auto& [place, key, value] :
       read_entries(*yaml, record.what() + ": mirrors", record.problems())) {
    Section section(value, record.what() + ": the mirror \"" + key + "\"", record.problems());
    Mirror mirror;
    mirror.place = place;
    mirror.name = key;
    if (const Yaml* const templates = section.need("key", "say under which key it stands")) {
      mirror.key = read_key(*templates, section.what(), record.problems());
    }
    mirror.fields = section.names("fields");
    made.mirrors.push_back(std::move(mirror));
  }
}

void read_keep_latest(Section& record, Record& made) {
  const Yaml* const yaml = record.take("keep_latest");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, record.what() + ": keep_latest", record.problems());
  const auto by = section.needed_name("by", "name the field that the versions have in common");
  section.need("count", "say how many are kept");
  const auto count = section.integer("count", 1, 1'000'000);
  const AfterLife then = read_after_life(section);
  if (by && count) {
    made.keep_latest = Record::KeepLatest{*by, *count, then};
  }
}

void read_quota(const Yaml& yaml, Section& record, Record& made) {
  Section section(yaml, record.what() + ": a quota", record.problems());
  const auto limit =
      section.needed_name("limit", "name the record and the field that say how many there may be");
  Record::Quota quota;
  quota.place = yaml.place;
  quota.states = section.names("in");
  quota.per_day = section.choice("per", {"day"}).has_value();
  const std::size_t point = limit ? limit->text.find('.') : std::string::npos;
  if (limit && point == std::string::npos) {
    record.error(limit->place, section.what() + ": \"" + limit->text + "\" names no field of a record",
                 "write the record, a point, and the field, as in project.quotas.jobs");
    return;
  }
  if (limit) {
    quota.record = {limit->text.substr(0, point), limit->place};
    quota.field = limit->text.substr(point + 1);
    made.quotas.push_back(std::move(quota));
  }
}

void read_quotas(Section& record, Record& made) {
  const Yaml* const yaml = record.take("quotas");
  if (yaml == nullptr) {
    return;
  }
  if (yaml->kind != Yaml::Kind::list) {
    record.error(yaml->place, record.what() + ": quotas are a list, not " + yaml->kind_text(),
                 "write one quota a line, behind a dash");
    return;
  }
  for (const auto& item : yaml->items) {
    read_quota(item, record, made);
  }
}

}  // namespace

std::vector<std::pair<std::string, Formula>> read_formulas(const Yaml& yaml, const std::string& what,
                                                           Problems& problems) {
  std::vector<std::pair<std::string, Formula>> made;
  for (const auto& [place, key, value] : read_entries(yaml, what, problems)) {
    if (auto formula = read_formula(value, joined({what, ": ", key}), problems)) {
      made.emplace_back(key, *std::move(formula));
    }
  }
  return made;
}

std::map<std::string, TextTemplate> read_key(const Yaml& yaml, const std::string& what, Problems& problems) {
  std::map<std::string, TextTemplate> made;
  Section section(yaml, what + ": key", problems);
  for (const auto& entry : yaml.entries) {
    if (auto text = section.text_template(entry.key)) {
      made.emplace(entry.key, *std::move(text));
    }
  }
  return made;
}

AfterLife read_after_life(Section& section) {
  return section.choice("then", {"remove", "archive"}) == "archive" ? AfterLife::archive : AfterLife::remove;
}

std::optional<Record> read_record(const Yaml::Entry& entry, Problems& problems) {
  Record made;
  made.place = entry.place;
  made.name = entry.key;
  Section section(entry.value, "the record \"" + entry.key + "\"", problems);
  if (const auto role = section.choice("role", {"outbox", "idempotency", "audit"})) {
    made.role = *role == "outbox" ? Role::outbox : *role == "audit" ? Role::audit : Role::idempotency;
  }
  if (const auto word = section.choice("other_fields", {"keep", "refuse"})) {
    made.other_fields = *word == "refuse" ? OtherFields::refuse : OtherFields::keep;
  }
  if (const Yaml* const key = section.take("key")) {
    made.key = read_key(*key, section.what(), problems);
  }
  read_id(section, made);
  made.owner = section.name("owner");
  made.tenant = section.name("tenant");
  made.version = section.name("version");
  made.trace = section.names("trace");
  read_tags(section, made);
  if (const Yaml* const fields = section.need("fields", "say what it consists of")) {
    made.fields = read_fields(*fields, section.what(), problems);
  }
  if (const Yaml* const status = section.take("status")) {
    made.status = read_status(*status, section.what(), problems);
  }
  if (const Yaml* const work = section.take("work")) {
    made.work = read_work(*work, section.what(), problems);
  }
  read_idempotency(section, made);
  read_counters(section, made);
  read_events(section, made);
  read_mirrors(section, made);
  read_keep_latest(section, made);
  read_quotas(section, made);
  if (const Yaml* const audit = section.take("audit")) {
    Section by(*audit, section.what() + ": audit", problems);
    made.audited_by = by.needed_name("by", "name the field whose records share one trail");
  }
  return made;
}

}  // namespace waybill::contract
