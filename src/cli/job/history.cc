#include "cli/job/history.h"

namespace waybill::cli::job {

std::vector<std::string_view> History::items() const {
  std::vector<std::string_view> all;
  for (const auto& page : pages) {
    const auto items = elements_of(find(members_of(page), "items"));
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

std::vector<Members> History::happenings() const {
  std::vector<Members> all;
  for (const auto item : items()) {
    all.push_back(members_of(item));
  }
  return all;
}

Result<History> read_history(Api& api, const Target& target) {
  History history;
  std::string cursor;
  do {
    Parameters parameters = {{"limit", "1000"}};
    if (!cursor.empty()) {
      parameters.emplace_back("cursor", cursor);
    }
    WAYBILL_TRY_ASSIGN(auto answer, api.get(path_of(target, "history") + query_of(parameters)));
    cursor = text_of(members_of(answer.body), "next");
    history.pages.push_back(std::move(answer.body));
  } while (!cursor.empty());
  return history;
}

}  // namespace waybill::cli::job
