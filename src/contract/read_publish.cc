// The part of the reader that reads where events are told.
#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

TextTemplate needed_text(Section& section, std::string_view key, std::string_view remedy) {
  return section.need(key, remedy) == nullptr ? TextTemplate()
                                              : section.text_template(key).value_or(TextTemplate());
}

TextTemplate text_or(Section& section, std::string_view key, std::string_view otherwise) {
  auto given = section.text_template(key);
  return given ? *std::move(given) : *TextTemplate::parse(otherwise);
}

std::string word_or(Section& section, std::string_view key, std::string_view otherwise) {
  const auto given = section.name(key);
  return given ? given->text : std::string(otherwise);
}

void read_webhook(Section& section, Publication& made) {
  made.to = Publication::Kind::webhook;
  made.url = needed_text(section, "url", "say where events are posted to");
  made.secret_env = word_or(section, "secret_env", "");
}

void read_kafka(Section& section, Publication& made) {
  made.to = Publication::Kind::kafka;
  made.brokers = needed_text(section, "brokers", "name one broker or several: \"host:9092,host:9092\"");
  made.topic = needed_text(section, "topic", "name the topic that events are written to");
}

void read_eventbridge(Section& section, Publication& made) {
  made.to = Publication::Kind::eventbridge;
  made.region = needed_text(section, "region", "name the region, us-east-1 for example");
  made.endpoint = section.text_template("endpoint").value_or(TextTemplate());
  made.bus = text_or(section, "bus", "default");
  made.access_key_env = word_or(section, "access_key_env", "AWS_ACCESS_KEY_ID");
  made.secret_key_env = word_or(section, "secret_key_env", "AWS_SECRET_ACCESS_KEY");
}

void read_queue_target(Section& section, Publication& made) {
  made.to = Publication::Kind::queue;
  made.queue = needed_text(section, "name", "name the queue that events are sent to");
}

std::optional<Publication> read_one(const Yaml& yaml, Problems& problems) {
  Section section(yaml, "a place to publish to", problems);
  Publication made;
  made.place = yaml.place;
  if (section.need("to", "say what it is: webhook, kafka, eventbridge or queue") == nullptr) {
    return {};
  }
  const auto kind = section.choice("to", {"webhook", "kafka", "eventbridge", "queue"});
  if (kind == "webhook") {
    read_webhook(section, made);
  } else if (kind == "kafka") {
    read_kafka(section, made);
  } else if (kind == "eventbridge") {
    read_eventbridge(section, made);
  } else if (kind == "queue") {
    read_queue_target(section, made);
  } else {
    return {};
  }
  return made;
}

}  // namespace

std::vector<Publication> read_publish(const Yaml& yaml, Problems& problems) {
  std::vector<Publication> made;
  if (yaml.kind != Yaml::Kind::list) {
    problems.push_back({Problem::Weight::error, yaml.place,
                        joined({"publish is a list, not ", yaml.kind_text()}),
                        "write one place a line, behind a dash"});
    return made;
  }
  for (const auto& item : yaml.items) {
    if (auto one = read_one(item, problems)) {
      made.push_back(*std::move(one));
    }
  }
  return made;
}

}  // namespace waybill::contract
