#include "contract/reader.h"

#include <algorithm>

#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

constexpr int64_t version_max = 1'000'000'000;

std::vector<Parameter> read_parameters(const Yaml& yaml, Problems& problems) {
  std::vector<Parameter> made;
  for (const auto& [place, key, value] : read_entries(yaml, "a contract: parameters", problems)) {
    Section section(value, "the parameter \"" + key + "\"", problems);
    Parameter parameter;
    parameter.place = place;
    parameter.name = key;
    section.choice("type", {"string"});
    for (auto& name : section.names("one_of")) {
      parameter.one_of.push_back(std::move(name.text));
    }
    if (const auto value_given =
            section.needed_name("default", "say what it is where nobody says otherwise")) {
      parameter.value = value_given->text;
    }
    made.push_back(std::move(parameter));
  }
  return made;
}

}  // namespace

const StatusMachine::State* StatusMachine::find(const std::string& name) const {
  const auto found =
      std::ranges::find_if(states, [&](const State& state) { return state.name.text == name; });
  return found == states.end() ? nullptr : &*found;
}

bool StatusMachine::may_move(const std::string& from, const std::string& to) const {
  const State* const state = find(from);
  return state != nullptr &&
         std::ranges::any_of(state->next, [&](const Name& next) { return next.text == to; });
}

const Field* Record::find(const std::string& field_name) const {
  const auto found = std::ranges::find(fields, field_name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Record* Contract::find(const std::string& record_name) const {
  const auto found = std::ranges::find(records, record_name, &Record::name);
  return found == records.end() ? nullptr : &*found;
}

namespace {

Contract read(const Yaml& yaml, Problems& problems) {
  Contract made;
  Section section(yaml, "a contract", problems);
  if (const auto name = section.needed_name("contract", "give the contract a name, in the first line")) {
    made.name = name->text;
  }
  section.need("version", "give the contract a version, 1 for the first");
  made.version = section.integer("version", 1, version_max).value_or(0);
  if (const auto word = section.choice("enforcement", {"enforce", "log", "off"})) {
    made.enforcement = *word == "enforce" ? Enforcement::enforce
                       : *word == "log"   ? Enforcement::log
                                          : Enforcement::off;
  }
  if (const Yaml* const parameters = section.take("parameters")) {
    made.parameters = read_parameters(*parameters, problems);
  }
  if (const Yaml* const table = section.need("table", "say where its records are kept")) {
    made.table = read_table(*table, problems);
  }
  if (const Yaml* const buckets = section.take("buckets")) {
    made.buckets = read_buckets(*buckets, problems);
  }
  if (const Yaml* const publish = section.take("publish")) {
    made.publish = read_publish(*publish, problems);
  }
  if (const Yaml* const records = section.need("records", "say what kinds of records there are")) {
    for (const auto& entry : read_entries(*records, "a contract: records", problems)) {
      if (auto record = read_record(entry, problems)) {
        made.records.push_back(*std::move(record));
      }
    }
  }
  return made;
}

}  // namespace

std::optional<Contract> read_contract(const std::string& text, Problems& problems) {
  const Yaml yaml = Yaml::parse(text, problems);
  if (yaml.kind == Yaml::Kind::nothing && !problems.empty()) {
    return {};
  }
  Contract made = read(yaml, problems);
  sort_by_place(problems);
  return made;
}

}  // namespace waybill::contract
