#include <algorithm>
#include <iostream>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/field_values.h"
#include "cli/job/record_view.h"
#include "cli/job/text_width.h"

namespace waybill::cli::job {
namespace {

constexpr int64_t page_max = 1000;

Parameters parameters_of(const JobOptions& options) {
  Parameters parameters;
  for (const auto& field : options.fields) {
    if (auto parts = split_field(field)) {
      parameters.push_back(*std::move(parts));
    }
  }
  for (const auto& tag : options.tags) {
    parameters.emplace_back("tag", tag);
  }
  const std::pair<std::string, const std::string&> named[] = {
      {"match", options.match}, {"order", options.order}, {"index", options.index}};
  for (const auto& [name, value] : named) {
    if (!value.empty()) {
      parameters.emplace_back(name, value);
    }
  }
  return parameters;
}

// The pages of a list, one after the other, as many as were asked for.
class Pages {
 public:
  Pages(Api& api, const JobOptions& options)
      : api_(api), options_(options), parameters_(parameters_of(options)), wanted_(options.limit) {}

  bool has_more() const { return !ended_ && (options_.all || wanted_ > 0); }
  bool left_some() const { return !ended_; }

  Result<std::string> next() {
    auto parameters = parameters_;
    parameters.emplace_back("limit", std::to_string(options_.all ? page_max : std::min(wanted_, page_max)));
    if (!cursor_.empty()) {
      parameters.emplace_back("cursor", cursor_);
    }
    WAYBILL_TRY_ASSIGN(auto answer, api_.get(path_of(options_.target) + query_of(parameters)));
    const auto page = members_of(answer.body);
    cursor_ = text_of(page, "next");
    ended_ = cursor_.empty();
    wanted_ -= static_cast<int64_t>(elements_of(find(page, "items")).size());
    return std::move(answer.body);
  }

 private:
  Api& api_;
  const JobOptions& options_;
  Parameters parameters_;
  int64_t wanted_;
  std::string cursor_;
  bool ended_ = false;
};

Status print_json(Pages& pages) {
  while (pages.has_more()) {
    WAYBILL_TRY_ASSIGN(const auto page, pages.next());
    std::cout << page << "\n";
  }
  return {};
}

void print_left_out(const Table& table, const Screen& screen) {
  std::string names;
  for (const auto& title : table.left_out_on(screen)) {
    names += (names.empty() ? "" : ", ") + printable(title);
  }
  if (!names.empty()) {
    std::cerr << "no room for: " << names << " (choose with --columns)\n";
  }
}

Status print_table(Api& api, const JobOptions& options, Pages& pages) {
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  std::vector<std::string> texts;  // the records are views of them
  while (pages.has_more()) {
    WAYBILL_TRY_ASSIGN(auto page, pages.next());
    texts.push_back(std::move(page));
  }
  std::vector<Members> records;
  for (const auto& text : texts) {
    for (const auto item : elements_of(find(members_of(text), "items"))) {
      records.push_back(members_of(item));
    }
  }
  if (records.empty()) {
    std::cerr << "none\n";
    return {};
  }
  const auto screen = standard_screen();
  const auto table = table_of(description, records, options.columns, screen.now_ms);
  std::cout << table.text_on(screen) << std::flush;
  print_left_out(table, screen);
  if (pages.left_some()) {
    std::cerr << "there are more: --limit N or --all\n";
  }
  return {};
}

}  // namespace

Status list(Api& api, const JobOptions& options) {
  Pages pages(api, options);
  return options.as_json ? print_json(pages) : print_table(api, options, pages);
}

}  // namespace waybill::cli::job
