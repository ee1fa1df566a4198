#include <iostream>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/history.h"
#include "cli/job/record_view.h"
#include "cli/job/text_width.h"

namespace waybill::cli::job {
namespace {

void print_json(const std::string& record, const History& history) {
  std::cout << R"({"record":)" << (record.empty() ? "null" : record) << R"(,"history":[)";
  bool is_first = true;
  for (const auto item : history.items()) {
    std::cout << (is_first ? "" : ",") << item;
    is_first = false;
  }
  std::cout << "]}\n";
}

void print_text(const JobOptions& options, const Description& description, const std::string& record,
                const History& history) {
  const auto screen = standard_screen();
  std::cout << screen.paint(printable(options.target.text()), Colour::bold)
            << (record.empty() ? " is gone; this is left of it:" : "") << "\n\n";
  if (!record.empty()) {
    std::cout << details_of(description, members_of(record), screen) << "\n";
  }
  std::cout << history_table(description, history.happenings(), screen.now_ms).text_on(screen);
}

}  // namespace

// A record that is gone has a history still.
Status show(Api& api, const JobOptions& options) {
  const auto answer = api.get(path_of(options.target));
  if (!answer && answer.error().kind != ErrorKind::not_found) {
    return answer.error();
  }
  const auto history = read_history(api, options.target);
  if (!answer && (!history || history->items().empty())) {
    return answer.error();
  }
  if (!history) {
    return history.error();
  }
  const std::string record = answer ? answer->body : std::string();
  if (options.as_json) {
    print_json(record, *history);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  print_text(options, description, record, *history);
  return {};
}

}  // namespace waybill::cli::job
