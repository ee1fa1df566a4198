// The part of the reader that reads what a record consists of.
#include <array>

#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

constexpr std::array<std::pair<std::string_view, FieldType>, 12> types = {{
    {"string", FieldType::string},
    {"int", FieldType::integer},
    {"number", FieldType::number},
    {"bool", FieldType::boolean},
    {"binary", FieldType::binary},
    {"timestamp", FieldType::timestamp},
    {"epoch_ms", FieldType::epoch_ms},
    {"epoch_s", FieldType::epoch_s},
    {"map", FieldType::map},
    {"list", FieldType::list},
    {"set", FieldType::set},
    {"any", FieldType::any},
}};

std::optional<FieldType> read_type(const Yaml& yaml, const std::string& what, Problems& problems) {
  std::vector<std::string> words;
  for (const auto& [word, type] : types) {
    if (yaml.kind == Yaml::Kind::word && yaml.word == word) {
      return type;
    }
    words.emplace_back(word);
  }
  const std::string meant = yaml.kind == Yaml::Kind::word ? nearest(yaml.word, words) : "";
  problems.push_back({Problem::Weight::error, yaml.place, what + " has no type " + yaml.kind_text(),
                      !meant.empty()
                          ? "did you mean \"" + meant + "\"?"
                          : "write string, int, number, bool, binary, timestamp, epoch_ms, epoch_s, "
                            "map, list, set or any; an optional field has a ? behind its name"});
  return {};
}

std::optional<SetRule> read_set(const Yaml& yaml, const std::string& what, Problems& problems) {
  using Moment = SetRule::Moment;
  if (yaml.kind == Yaml::Kind::word && (yaml.word == "on_create" || yaml.word == "on_change")) {
    return SetRule{yaml.word == "on_create" ? Moment::on_create : Moment::on_change, {}};
  }
  if (yaml.kind != Yaml::Kind::map) {
    problems.push_back({Problem::Weight::error, yaml.place, what + ": set cannot be " + yaml.kind_text(),
                        "write on_create, on_change, or {on_entering: STATE}"});
    return {};
  }
  Section section(yaml, what + ": set", problems);
  std::optional<SetRule> rule;
  std::size_t moments = 0;
  for (const auto& [key, moment] :
       std::array<std::pair<std::string_view, Moment>, 3>{{{"on_entering", Moment::on_entering},
                                                           {"on_first_entering", Moment::on_first_entering},
                                                           {"on_leaving", Moment::on_leaving}}}) {
    if (Names states = section.names(key); !states.empty()) {
      rule = SetRule{moment, std::move(states)};
      ++moments;
    }
  }
  if (moments != 1) {
    section.error(section.place(), section.what() + " needs one moment, and has " + std::to_string(moments),
                  "write {on_entering: STATE}, on_first_entering or on_leaving, one of them");
  }
  return rule;
}

Field read_field(const Yaml& yaml, const std::string& what, Problems& problems);

// What a list or a set holds: a type, or a field without a name.
std::shared_ptr<const Field> read_element(const Yaml& yaml, const std::string& what, Problems& problems) {
  return std::make_shared<const Field>(read_field(yaml, what, problems));
}

// The type, which may be said in so many words, or follow from what the field holds.
void read_types(Section& section, Field& field) {
  Problems& problems = section.problems();
  std::optional<FieldType> said;
  const auto holds = [&](FieldType type, const Yaml& yaml) {
    if (said && *said != type) {
      section.error(yaml.place, section.what() + " is of two types",
                    "keep one of type, one_of, fields, list_of and set_of");
    }
    said = type;
    field.type = type;
  };
  if (const Yaml* const type = section.take("type")) {
    said = read_type(*type, section.what(), problems);
    field.type = said.value_or(FieldType::any);
  }
  if (const Yaml* const one_of = section.take("one_of")) {
    for (auto& name : read_names(*one_of, section.what() + ": one_of", problems)) {
      field.one_of.push_back(std::move(name.text));
    }
    holds(FieldType::string, *one_of);
  }
  if (const Yaml* const fields = section.take("fields")) {
    field.fields = read_fields(*fields, section.what(), problems);
    holds(FieldType::map, *fields);
  }
  for (const auto& [key, type] :
       {std::pair("list_of", FieldType::list), std::pair("set_of", FieldType::set)}) {
    if (const Yaml* const element = section.take(key)) {
      field.element = read_element(*element, section.what() + ": " + key, problems);
      holds(type, *element);
    }
  }
}

void read_options(Section& section, Field& field) {
  Problems& problems = section.problems();
  read_types(section, field);
  field.minimum = section.formula("min");
  field.maximum = section.formula("max");
  field.length_max = section.integer("max_length", 1, 400'000);
  if (const Yaml* const initial = section.take("default")) {
    Yaml value = *initial;
    value.quoted = value.quoted || field.type == FieldType::string;
    field.initial = read_formula(value, section.what() + ": default", problems);
  }
  field.computed = section.formula("computed");
  if (const Yaml* const set = section.take("set")) {
    field.set = read_set(*set, section.what(), problems);
  }
  field.only_in = section.names("only_in");
  field.only_with = section.name("only_with");
  if (const Yaml* const dropped = section.take("dropped_where")) {
    for (const auto& [place, key, value] :
         read_entries(*dropped, section.what() + ": dropped_where", problems)) {
      if (const auto name = read_name(value, section.what() + ": dropped_where", problems)) {
        field.dropped_where[key] = name->text;
      }
    }
  }
  field.unique = section.boolean("unique").value_or(false);
}

Field read_field(const Yaml& yaml, const std::string& what, Problems& problems) {
  Field field;
  field.place = yaml.place;
  if (yaml.kind == Yaml::Kind::word) {
    field.type = read_type(yaml, what, problems).value_or(FieldType::any);
    return field;
  }
  Section section(yaml, what, problems);
  read_options(section, field);
  return field;
}

}  // namespace

std::vector<Field> read_fields(const Yaml& yaml, const std::string& what, Problems& problems) {
  std::vector<Field> fields;
  if (yaml.kind != Yaml::Kind::map) {
    problems.push_back({Problem::Weight::error, yaml.place,
                        what + ": fields are a map, not " + yaml.kind_text(),
                        "write one field a line: its name, a colon, its type"});
    return fields;
  }
  for (const auto& [place, key, value] : yaml.entries) {
    const bool optional = key.ends_with('?');
    const std::string name = optional ? key.substr(0, key.size() - 1) : key;
    if (name.empty()) {
      problems.push_back({Problem::Weight::error, place, what + " has a field without a name",
                          "write its name before the colon, and before the ?"});
    }
    Field field = read_field(value, "the field \"" + name + "\"", problems);
    field.place = place;
    field.name = name;
    field.optional = optional;
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace waybill::contract
