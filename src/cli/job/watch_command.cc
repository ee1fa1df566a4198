#include <chrono>
#include <iostream>
#include <set>
#include <thread>
#include <utility>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/event_reader.h"
#include "cli/job/history.h"
#include "cli/job/record_view.h"
#include "cli/job/text_width.h"

namespace waybill::cli::job {
namespace {

constexpr std::chrono::seconds pause_between_attempts(1);

// Rows of the journal that say what was refused are about a move that was not made.
bool is_made(const Members& happening) {
  const auto action = text_of(happening, "action");
  return action != "refused" && action != "violated";
}

bool is_removal(const Members& happening) {
  static const std::set<std::string> actions = {"remove", "removed", "expired"};
  return actions.contains(text_of(happening, "action"));
}

class Watch {
 public:
  Watch(Api& api, const JobOptions& options, const Description& description)
      : api_(api), options_(options), description_(description), screen_(standard_screen()) {}

  // What happened before; of one record alone.
  Status begin() {
    if (options_.target.id.empty()) {
      return {};
    }
    WAYBILL_TRY_ASSIGN(const auto history, read_history(api_, options_.target));
    const auto items = history.items();
    if (items.empty()) {
      WAYBILL_TRY(api_.get(path_of(options_.target)));  // a refusal says that there is none
    }
    for (const auto item : items) {
      take(item);
    }
    return {};
  }

  bool has_ended() const { return has_ended_; }

  Status follow() {
    bool is_lost = false;
    for (;;) {
      EventReader reader;
      const auto status =
          api_.follow(path_of(options_.target, "changes"), last_id_, [&](std::string_view bytes) {
            is_connected_ = true;
            is_lost = false;
            return take_all(reader, bytes);
          });
      if (has_ended_ || (!status && !may_come_back(status.error()))) {
        return status;
      }
      if (!std::exchange(is_lost, true)) {
        std::cerr << "the connection is lost; trying again\n";
      }
      std::this_thread::sleep_for(pause_between_attempts);
    }
  }

 private:
  bool may_come_back(const Error& error) const {
    return is_connected_ && error.kind == ErrorKind::unavailable;
  }

  bool take_all(EventReader& reader, std::string_view bytes) {
    reader.add(bytes);
    while (const auto event = reader.next()) {
      if (event->name == "reset") {
        std::cerr << "some changes were missed: look at the records themselves\n";
        continue;
      }
      take(event->data);
    }
    return !has_ended_;
  }

  void take(std::string_view item) {
    const auto happening = members_of(item);
    last_id_ = text_of(happening, "seq");
    if (is_made(happening) && !text_of(happening, "to").empty()) {
      state_ = text_of(happening, "to");
    }
    has_ended_ = !options_.target.id.empty() && (is_removal(happening) || description_.is_end(state_));
    print(item, happening);
  }

  void print(std::string_view item, const Members& happening) const {
    if (options_.as_json) {
      std::cout << item << "\n" << std::flush;
      return;
    }
    std::string line = screen_.paint(printable(text_of(happening, "at")), Colour::dim);
    if (options_.target.id.empty()) {
      line += "  " + printable(text_of(happening, "id"));
    }
    line += "  " + printable(text_of(happening, "action"));
    const auto colour = description_.colour_of(text_of(happening, "to"));
    add(line, screen_.paint(printable(move_words(happening)), colour));
    add(line, printable(text_of(happening, "actor")));
    add(line, printable(reason_words(happening)));
    std::cout << line << "\n" << std::flush;
  }

  static void add(std::string& line, const std::string& words) { line += words.empty() ? "" : "  " + words; }

  Api& api_;
  const JobOptions& options_;
  const Description& description_;
  Screen screen_;
  std::string last_id_;
  std::string state_;
  bool is_connected_ = false;
  bool has_ended_ = false;
};

}  // namespace

// The history of one record, and then its feed from there on: nothing is missed between the two.
Status watch(Api& api, const JobOptions& options) {
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  Watch watch(api, options, description);
  WAYBILL_TRY(watch.begin());
  return watch.has_ended() ? Status() : watch.follow();
}

}  // namespace waybill::cli::job
