#include "intake/mapping.h"

#include <algorithm>
#include <array>
#include <utility>

#include "contract/section.h"
#include "item/number.h"
#include "item/value.h"

namespace waybill::intake {
namespace {

using contract::Problem;
using contract::Problems;
using contract::Section;
using contract::TextTemplate;
using contract::Yaml;

constexpr std::array<std::pair<std::string_view, Kind>, 13> kinds = {{{"text", Kind::text},
                                                                      {"int", Kind::integer},
                                                                      {"number", Kind::number},
                                                                      {"bool", Kind::boolean},
                                                                      {"timestamp", Kind::timestamp},
                                                                      {"epoch_ms", Kind::epoch_ms},
                                                                      {"epoch_s", Kind::epoch_s},
                                                                      {"uuid", Kind::uuid},
                                                                      {"ulid", Kind::ulid},
                                                                      {"json", Kind::json},
                                                                      {"list", Kind::list},
                                                                      {"set", Kind::set},
                                                                      {"binary", Kind::binary}}};

std::optional<Kind> kind_in(Section& section, std::string_view key) {
  const auto word = section.choice(key, {"text", "int", "number", "bool", "timestamp", "epoch_ms", "epoch_s",
                                         "uuid", "ulid", "json", "list", "set", "binary"});
  const auto found =
      word ? std::ranges::find(kinds, *word, &std::pair<std::string_view, Kind>::first) : kinds.end();
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

// A word without quotes may be a number or a truth value; all else is a text, maybe with attributes in
// braces.
std::optional<Given> given_of(const Yaml& yaml, const std::string& what, Problems& problems) {
  Given given;
  if (yaml.kind == Yaml::Kind::list && yaml.items.empty()) {
    item::close_container(given.encoded, item::open_container(given.encoded, item::Type::list));
    return given;
  }
  if (yaml.kind != Yaml::Kind::word) {
    problems.push_back({Problem::Weight::error, yaml.place, what + " is a value, not " + yaml.kind_text(),
                        "write a text, a number, true, false or []"});
    return {};
  }
  if (!yaml.quoted && (yaml.word == "true" || yaml.word == "false")) {
    item::append_boolean(given.encoded, yaml.word == "true");
    return given;
  }
  if (const auto number = item::Decimal::parse(yaml.word); !yaml.quoted && number) {
    std::string normal;
    number->append_text(normal);
    item::append_scalar(given.encoded, item::Type::number, normal);
    return given;
  }
  auto text = TextTemplate::parse(yaml.word);
  if (!text) {
    problems.push_back({Problem::Weight::error, yaml.place, what + ": " + text.error().message,
                        "write it as in \"images/{userId}/{id}.webp\""});
    return {};
  }
  if (text->is_literal()) {
    item::append_scalar(given.encoded, item::Type::string, text->prefix());
  } else {
    given.text = *std::move(text);
  }
  return given;
}

void read_column(Section& section, Attribute& attribute) {
  if (const auto column = section.name("column")) {
    attribute.column = column->text;
  }
  attribute.kind = kind_in(section, "type").value_or(Kind::automatic);
  attribute.element = kind_in(section, "of").value_or(Kind::automatic);
  if (const auto time = section.name("time")) {
    attribute.time_column = time->text;
  }
  if (const auto word = section.choice("precision", {"s", "ms", "us"})) {
    attribute.precision = *word == "s"    ? Precision::seconds
                          : *word == "us" ? Precision::microseconds
                                          : Precision::milliseconds;
  }
}

// Parts that do not go together.
void check_parts(Section& section, const Attribute& attribute) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    section.error(section.place(), section.what() + " " + what, remedy);
  };
  const bool is_column = !attribute.column.empty();
  if (is_column == section.has("value")) {
    refuse(is_column ? "has both a column and a value" : "has neither a column nor a value",
           "write column: NAME, or value: TEXT");
  }
  if (section.has("value") && (section.has("type") || section.has("if_null"))) {
    refuse("has a value, which needs no type and is never null", "take type and if_null away");
  }
  if ((attribute.kind == Kind::ulid) == attribute.time_column.empty()) {
    refuse(attribute.kind == Kind::ulid ? "is a ulid, and lacks the column of its time"
                                        : "has a time, which only a ulid is made of",
           "write type: ulid and time: created_at");
  }
  if (attribute.element != Kind::automatic && attribute.kind != Kind::list && attribute.kind != Kind::set) {
    refuse("says what its elements are, and is no list or set", "write type: list or type: set");
  }
  const bool is_nested =
      attribute.element == Kind::list || attribute.element == Kind::set || attribute.element == Kind::ulid;
  if (is_nested) {
    refuse("cannot have such elements", "arrays of arrays are lists of lists by themselves");
  }
  if (section.has("precision") && attribute.kind != Kind::timestamp) {
    refuse("has a precision, and is no timestamp", "write type: timestamp");
  }
}

// "albumId: album_id", or a map where there is more to say.
Attribute read_attribute(const Yaml::Entry& entry, Problems& problems) {
  Attribute attribute;
  attribute.place = entry.place;
  attribute.name = entry.key;
  const std::string what = "the attribute " + quoted(entry.key);
  if (entry.value.kind == Yaml::Kind::word) {
    attribute.column = entry.value.word;
    return attribute;
  }
  Section section(entry.value, what, problems);
  read_column(section, attribute);
  if (const Yaml* const value = section.take("value")) {
    attribute.value = given_of(*value, what + ": value", problems);
  }
  if (const Yaml* const value = section.take("if_null")) {
    attribute.if_null = given_of(*value, what + ": if_null", problems);
  }
  if (entry.value.kind == Yaml::Kind::map) {
    check_parts(section, attribute);
  }
  return attribute;
}

Source read_source(const Yaml& yaml, Problems& problems) {
  Section section(yaml, "the source", problems);
  Source source;
  source.place = yaml.place;
  if (const auto table = section.name("table")) {
    const std::size_t point = table->text.find('.');
    source.schema = point == std::string::npos ? "" : table->text.substr(0, point);
    source.table = table->text.substr(point == std::string::npos ? 0 : point + 1);
  }
  if (const auto query = section.name("query")) {
    source.query = query->text;
    while (!source.query.empty() &&
           (source.query.back() == ';' || source.query.back() == '\n' || source.query.back() == ' ')) {
      source.query.pop_back();
    }
  }
  source.key = section.names("key");
  if (yaml.kind == Yaml::Kind::map && source.table.empty() && source.query.empty()) {
    section.error(yaml.place, "the source has neither a table nor a query", "write table: NAME");
  }
  if (yaml.kind == Yaml::Kind::map && source.key.empty()) {
    section.error(yaml.place, "the source lacks its key",
                  "write key: id, or key: [a, b]: columns that tell rows apart, with an index");
  }
  return source;
}

void read_key(const Yaml& yaml, Target& target, Problems& problems) {
  const auto& entries = contract::read_entries(yaml, "the key", problems);
  if (entries.size() > 2) {
    problems.push_back({Problem::Weight::error, yaml.place, "a table's key has two attributes at most",
                        "write the partition key, and the sort key where there is one"});
  }
  for (const auto& entry : entries) {
    auto text = TextTemplate::parse(entry.value.word);
    if (entry.value.kind != Yaml::Kind::word || !text) {
      problems.push_back({Problem::Weight::error, entry.value.place,
                          "the key " + quoted(entry.key) + " is a text with attributes in braces",
                          "write it as in \"IMAGE#{id}\""});
      continue;
    }
    target.key.emplace_back(entry.key, *std::move(text));
  }
}

Target read_target(const Yaml& yaml, Problems& problems) {
  Section section(yaml, "the target", problems);
  Target target;
  target.place = yaml.place;
  const auto word = [&](std::string_view key) {
    const auto name = section.name(key);
    return name ? name->text : std::string();
  };
  target.contract = word("contract");
  target.record = word("record");
  target.table = word("table");
  target.is_shared = section.boolean("shared").value_or(false);
  if (const Yaml* const key = section.take("key")) {
    read_key(*key, target, problems);
  }
  if (yaml.kind != Yaml::Kind::map) {
    return target;
  }
  if (target.contract.empty() == target.table.empty()) {
    section.error(yaml.place, "the target is either a record of a contract or a table",
                  "write contract: NAME and record: NAME, or table: NAME and key: {…}");
  } else if (!target.contract.empty() && (target.record.empty() || !target.key.empty())) {
    section.error(yaml.place,
                  target.record.empty() ? "the target lacks the record's name"
                                        : "the key of a record is what its contract says",
                  target.record.empty() ? "write record: NAME" : "take the key away");
  } else if (!target.table.empty() && target.key.empty()) {
    section.error(yaml.place, "the target lacks its key", "write key: {PK: \"IMAGE#{id}\"}");
  }
  return target;
}

// Texts are made of attributes that stand above them, so that there is an order in which to make them.
void check_text(const Given& given, const std::vector<Attribute>& above, const Attribute& attribute,
                Problems& problems) {
  for (const auto& field : given.text ? given.text->fields() : std::vector<std::string>()) {
    if (std::ranges::find(above, field, &Attribute::name) == above.end()) {
      problems.push_back({Problem::Weight::error, attribute.place,
                          "the attribute " + quoted(attribute.name) + " is made of {" + field +
                              "}, which is no attribute above it",
                          "write " + quoted(field) + " above it"});
    }
  }
}

void check_keys(const Mapping& mapping, Problems& problems) {
  for (const auto& [name, text] : mapping.target.key) {
    for (const auto& field : text.fields()) {
      if (std::ranges::find(mapping.attributes, field, &Attribute::name) == mapping.attributes.end()) {
        problems.push_back({Problem::Weight::error, mapping.target.place,
                            "the key " + quoted(name) + " is made of {" + field + "}, which is no attribute",
                            "add it to the attributes"});
      }
    }
  }
}

}  // namespace

Mapping read_mapping(const std::string& text, Problems& problems) {
  Mapping mapping;
  const Yaml yaml = Yaml::parse(text, problems);
  if (!problems.empty()) {
    return mapping;
  }
  Section section(yaml, "the mapping", problems);
  if (const Yaml* const source = section.need("source", "say which rows are read")) {
    mapping.source = read_source(*source, problems);
  }
  if (const Yaml* const target = section.need("target", "say where they go")) {
    mapping.target = read_target(*target, problems);
  }
  const Yaml* const attributes = section.need("attributes", "say what the items consist of");
  if (attributes == nullptr) {
    return mapping;
  }
  for (const auto& entry : contract::read_entries(*attributes, "the attributes", problems)) {
    Attribute attribute = read_attribute(entry, problems);
    for (const auto& given : {attribute.value, attribute.if_null}) {
      if (given) {
        check_text(*given, mapping.attributes, attribute, problems);
      }
    }
    mapping.attributes.push_back(std::move(attribute));
  }
  check_keys(mapping, problems);
  return mapping;
}

}  // namespace waybill::intake
