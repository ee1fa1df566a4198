// The part of the reader that reads where records are kept.
#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

constexpr int64_t seconds_per_day = 86'400;
constexpr int64_t units_max = 40'000;

void read_indexes(Section& table, Contract::Table& made) {
  const Yaml* const yaml = table.take("indexes");
  if (yaml == nullptr) {
    return;
  }
  for (const auto& [place, key, value] : read_entries(*yaml, table.what() + ": indexes", table.problems())) {
    Section section(value, "the index \"" + key + "\"", table.problems());
    Contract::Table::Index index;
    index.name = {key, place};
    section.need("key", "name its key: one field, or two for an order");
    index.key = section.names("key");
    if (const Yaml* const project = section.take("project")) {
      const bool is_word = project->kind == Yaml::Kind::word;
      if (is_word && project->word == "keys") {
        index.projection.kind = table::ProjectionKind::keys_only;
      } else if (!is_word || project->word != "all") {
        index.projection.kind = table::ProjectionKind::include;
        for (auto& name : read_names(*project, section.what() + ": project", table.problems())) {
          index.projection.attributes.push_back(std::move(name.text));
        }
      }
    }
    made.indexes.push_back(std::move(index));
  }
}

void read_billing(Section& table, Contract::Table& made) {
  const Yaml* const yaml = table.take("billing");
  if (yaml == nullptr || yaml->word == "on_demand") {
    return;
  }
  Section section(*yaml, "the table's billing", table.problems());
  made.billing = table::BillingMode::provisioned;
  section.need("read", "say how many units are provisioned");
  section.need("write", "say how many units are provisioned");
  made.throughput.read_units = section.integer("read", 1, units_max).value_or(1);
  made.throughput.write_units = section.integer("write", 1, units_max).value_or(1);
}

std::optional<table::StreamView> stream_of(std::string_view word) {
  if (word == "keys") {
    return table::StreamView::keys_only;
  }
  if (word == "new") {
    return table::StreamView::new_image;
  }
  if (word == "old") {
    return table::StreamView::old_image;
  }
  return word == "new_and_old" ? std::optional(table::StreamView::new_and_old_images) : std::nullopt;
}

}  // namespace

Contract::Table read_table(const Yaml& yaml, Problems& problems) {
  Contract::Table made;
  made.place = yaml.place;
  Section section(yaml, "the table", problems);
  if (section.need("name", "name the table") != nullptr) {
    made.name = section.text_template("name").value_or(TextTemplate());
  }
  section.need("key", "name its key: one field, or two");
  made.key = section.names("key");
  read_indexes(section, made);
  made.ttl = section.name("ttl");
  if (const auto recovery_s = section.duration_s("recovery")) {
    made.recovery_days = *recovery_s / seconds_per_day;
  }
  if (const auto word = section.choice("stream", {"none", "keys", "new", "old", "new_and_old"})) {
    made.stream = stream_of(*word);
  }
  read_billing(section, made);
  return made;
}

}  // namespace waybill::contract
