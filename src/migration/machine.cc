#include "migration/machine.h"

#include <array>
#include <optional>

#include "base/check.h"

namespace waybill::migration {

namespace {

constexpr std::array<std::string_view, 6> command_words = {"backfill", "verify", "switch",
                                                           "stop",     "drop",   "back-out"};

std::optional<Step> back_from(Kind kind, Step step) {
  switch (step) {
    case Step::dual_write:
    case Step::backfilling:
    case Step::filled:
    case Step::verified:
    case Step::removing:
      return Step::removing;
    case Step::switched:
      return Step::verified;
    case Step::restoring:
      return Step::restoring;
    case Step::stopped:
      break;
    default:
      return {};
  }
  switch (kind) {
    case Kind::rename:
      return Step::restoring;
    case Kind::key:
      return Step::verified;
    default:
      return Step::backed_out;
  }
}

std::optional<Step> forward_from(Kind kind, Step step, Command command) {
  switch (command) {
    case Command::backfill:
      return step == Step::dual_write || step == Step::backfilling || step == Step::filled
                 ? std::optional(Step::backfilling)
                 : std::nullopt;
    case Command::verify:
      return step == Step::filled || step == Step::verified ? std::optional(Step::verified) : std::nullopt;
    case Command::switch_reads:
      return step == Step::verified || step == Step::switched ? std::optional(Step::switched) : std::nullopt;
    case Command::stop:
      if (step != Step::switched) {
        return {};
      }
      return kind == Kind::add ? Step::done : Step::stopped;
    case Command::drop:
      return step == Step::stopped || step == Step::dropping ? std::optional(Step::dropping) : std::nullopt;
    case Command::back_out:
      break;
  }
  return back_from(kind, step);
}

std::string typed(Command command, const std::string& table) {
  return std::string("`waybill migrate ").append(word_for(command)).append(" ").append(table).append("`");
}

std::string walk_words(const Migration& migration, std::string_view what) {
  if (!migration.failure.empty()) {
    return "it came to a halt: " + migration.failure + ". Give the command again once that is mended";
  }
  return std::string(what) + " goes on by itself";
}

}  // namespace

std::string_view word_for(Command command) {
  return command_words[static_cast<std::size_t>(command)];
}

Step first_step(Kind kind) {
  return kind == Kind::remove ? Step::stopped : Step::dual_write;
}

Result<Step> step_after(Kind kind, Step step, Command command) {
  if (const auto next = forward_from(kind, step, command)) {
    return *next;
  }
  std::string text = "the migration is at the step ";
  text.append(word_for(step)).append(", from which ").append(word_for(command)).append(" leads nowhere; ");
  if (is_over(step)) {
    return invalid(text + "it is over");
  }
  std::string ways;
  for (std::size_t i = 0; i < command_words.size(); ++i) {
    const auto other = static_cast<Command>(i);
    if (forward_from(kind, step, other)) {
      ways.append(ways.empty() ? "" : ", ").append(word_for(other));
    }
  }
  return invalid(text + "there is: " + ways);
}

Step step_after_walk(Step walk) {
  switch (walk) {
    case Step::backfilling:
      return Step::filled;
    case Step::dropping:
      return Step::done;
    case Step::restoring:
      return Step::verified;
    default:
      WAYBILL_CHECK(walk == Step::removing);
      return Step::backed_out;
  }
}

bool owes_contract(const Migration& migration) {
  return migration.contract_before &&
         (migration.step == Step::verified || migration.step == Step::backed_out);
}

std::string next_words(const Migration& migration) {
  const auto typed_as = [&](Command command) { return typed(command, migration.table); };
  switch (migration.step) {
    case Step::dual_write:
      return "next: " + typed_as(Command::backfill);
    case Step::backfilling:
      return walk_words(migration, "the backfill");
    case Step::filled:
      return "next: " + typed_as(Command::verify);
    case Step::verified:
      return "next: " + typed_as(Command::switch_reads) + ", or " + typed_as(Command::back_out);
    case Step::switched:
      return "let readers and writers go by the new one, then " + typed_as(Command::stop);
    case Step::stopped:
      return "once nobody needs the old one: " + typed_as(Command::drop);
    case Step::dropping:
    case Step::restoring:
    case Step::removing:
      return walk_words(migration, "it");
    case Step::done:
    case Step::backed_out:
      break;
  }
  return "it is over";
}

}  // namespace waybill::migration
