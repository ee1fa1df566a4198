// The part of the reader that reads how records are worked on.
#include "contract/duration.h"
#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

constexpr int64_t visibility_default_s = 30;
constexpr int64_t receives_max = 1000;

std::optional<Move> read_move(Section& work, std::string_view key) {
  const Yaml* const yaml = work.take(key);
  if (yaml == nullptr) {
    return {};
  }
  Move move;
  move.place = yaml->place;
  if (yaml->kind == Yaml::Kind::word) {
    move.to = {yaml->word, yaml->place};
    return move;
  }
  Section section(*yaml, work.what() + ": " + std::string(key), work.problems());
  move.from = section.names("from");
  const auto to = section.needed_name("to", "name the state it leads to");
  move.by_hand = section.boolean("by_hand").value_or(false);
  move.dead_letter = section.boolean("dead_letter").value_or(false);
  if (!to) {
    return {};
  }
  move.to = *to;
  return move;
}

void read_queue(Section& work, Work& made) {
  const Yaml* const yaml = work.need("queue", "name the queue that carries the work");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, work.what() + ": queue", work.problems());
  if (section.need("name", "name the queue") != nullptr) {
    made.queue.name = section.text_template("name").value_or(TextTemplate());
  }
  made.queue.dead_letters = section.text_template("dead_letters");
  made.queue.receives_max = section.integer("receives", 1, receives_max).value_or(0);
  made.queue.visibility_s = section.duration_s("visibility").value_or(visibility_default_s);
}

// Either a move that comes with the creation, or the arrival of an object.
void read_enqueue(Section& work, Work& made) {
  const Yaml* const yaml = work.take("enqueue");
  if (yaml == nullptr) {
    return;
  }
  if (yaml->find("when") == nullptr) {
    made.enqueue = read_move(work, "enqueue");
    return;
  }
  Section section(*yaml, work.what() + ": enqueue", work.problems());
  section.choice("when", {"object_arrives"});
  auto bucket = section.formula("bucket");
  auto key = section.formula("key");
  if (bucket && key) {
    made.arrival = Work::Arrival{*std::move(bucket), *std::move(key)};
  } else {
    section.error(section.place(), work.what() + ": enqueue lacks a bucket or a key",
                  "name the fields that say which object is waited for");
  }
}

void read_steps(Section& work, Work& made) {
  const Yaml* const yaml = work.take("steps");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, work.what() + ": steps", work.problems());
  Work::Steps steps;
  const auto cursor = section.needed_name("cursor", "name the field that tells the next step");
  steps.total = section.name("total");
  steps.record = section.name("record");
  if (const Yaml* const review = section.take("review")) {
    Section states(*review, work.what() + ": review", work.problems());
    steps.pause = states.needed_name("pause", "name the state in which people decide");
    steps.resume = states.needed_name("resume", "name the state after a yes");
    steps.reject = states.needed_name("reject", "name the state after a no");
  }
  if (cursor) {
    steps.cursor = *cursor;
    made.steps = std::move(steps);
  }
}

void read_give_up(Section& work, Work& made) {
  const Yaml* const yaml = work.take("give_up");
  if (yaml == nullptr) {
    return;
  }
  Section section(*yaml, work.what() + ": give_up", work.problems());
  const auto after = section.needed_name("after", "name the field with the largest number of attempts");
  const auto to = section.needed_name("to", "name the state it leads to");
  if (after && to) {
    made.give_up = Work::GiveUp{*after, *to};
  }
}

void read_backoff(Section& work, Work& made) {
  const Yaml* const yaml = work.take("backoff");
  if (yaml == nullptr) {
    return;
  }
  const std::vector<Yaml> one{*yaml};
  for (const auto& item : yaml->kind == Yaml::Kind::list ? yaml->items : one) {
    const auto seconds = item.kind == Yaml::Kind::word ? parse_duration(item.word) : std::nullopt;
    if (seconds) {
      made.backoff_s.push_back(*seconds);
    } else {
      work.error(item.place, work.what() + ": backoff is a list of times, not " + item.kind_text(),
                 "write it as [30s, 2m, 10m, 30m]");
    }
  }
}

constexpr std::string_view built_in_workers = "use one of photo, image, text, steps and assets";

bool is_built_in(const std::string& name) {
  return name == "photo" || name == "image" || name == "text" || name == "steps" || name == "assets";
}

// A worker's name, or a map where it has to be told more.
void read_built_in(Section& work, Work& made) {
  const Yaml* const yaml = work.take("built_in");
  if (yaml == nullptr) {
    return;
  }
  Work::BuiltIn built_in;
  if (yaml->kind == Yaml::Kind::word) {
    built_in.worker = {yaml->word, yaml->place};
  } else {
    Section section(*yaml, work.what() + ": built_in", work.problems());
    const auto worker = section.needed_name("worker", built_in_workers);
    if (const Yaml* const with = section.take("with")) {
      built_in.with = read_key(*with, section.what() + ": with", work.problems());
    }
    if (!worker) {
      return;
    }
    built_in.worker = *worker;
  }
  if (!is_built_in(built_in.worker.text)) {
    work.error(built_in.worker.place,
               work.what() + ": there is no built-in worker \"" + built_in.worker.text + "\"",
               std::string(built_in_workers));
    return;
  }
  made.built_in = std::move(built_in);
}

}  // namespace

std::optional<Work> read_work(const Yaml& yaml, const std::string& what, Problems& problems) {
  Work made;
  made.place = yaml.place;
  Section section(yaml, what + ": work", problems);
  read_queue(section, made);
  read_enqueue(section, made);
  if (const Yaml* const message = section.need("message", "say what the message carries, field by field")) {
    made.message = read_formulas(*message, section.what() + ": message", problems);
  }
  made.claim = read_move(section, "claim");
  made.done = read_move(section, "done");
  made.fail = read_move(section, "fail");
  made.cancel = read_move(section, "cancel");
  made.replay = read_move(section, "replay");
  read_steps(section, made);
  read_give_up(section, made);
  read_backoff(section, made);
  read_built_in(section, made);
  made.attempts = section.name("attempts");
  made.next_attempt_at = section.name("next_attempt_at");
  if (const Yaml* const error = section.take("error")) {
    Section names(*error, section.what() + ": error", problems);
    made.error_code = names.name("code");
    made.error_message = names.name("message");
  }
  return made;
}

}  // namespace waybill::contract
