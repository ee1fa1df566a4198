#include <iostream>

#include "cli/completion/commands.h"
#include "cli/completion/complete.h"
#include "cli/job/api.h"
#include "cli/job/description.h"

namespace waybill::cli::completion {
namespace {

// A shell waits meanwhile.
constexpr http::Client::Limits patience = {.connect_ms = 500, .answer_ms = 1000};

Result<std::vector<Candidate>> ask_kinds(job::Api& api, bool wants_id) {
  WAYBILL_TRY_ASSIGN(const auto kinds, job::all_kinds(api));
  std::vector<Candidate> candidates;
  candidates.reserve(kinds.size());
  for (const auto& kind : kinds) {
    candidates.push_back({kind + (wants_id ? "/" : ""), {}});
  }
  return candidates;
}

Result<std::vector<Candidate>> ask_fields(job::Api& api, const std::string& text) {
  std::vector<Candidate> candidates;
  const auto target = job::parse_target(text);
  if (!target) {
    return candidates;
  }
  WAYBILL_TRY_ASSIGN(const auto description, job::describe(api, *target));
  const auto* const record = description.record();
  if (record == nullptr) {
    return candidates;
  }
  for (const auto& field : record->fields) {
    if (!field.computed && !field.set) {
      candidates.push_back({field.name + "=", {}});
    }
  }
  return candidates;
}

Result<std::vector<Candidate>> ask(const Completion& completion) {
  WAYBILL_TRY_ASSIGN(auto connection, job::find_connection(completion.server, {}));
  WAYBILL_TRY_ASSIGN(auto api, job::Api::open(std::move(connection), patience));
  return completion.ask == Completion::Ask::kinds ? ask_kinds(api, completion.wants_id)
                                                  : ask_fields(api, completion.target);
}

void print(const std::vector<Candidate>& candidates, const std::string& typed) {
  for (const auto& candidate : candidates) {
    if (candidate.text.starts_with(typed)) {
      std::cout << candidate.text << "\t" << candidate.help << "\n";
    }
  }
}

}  // namespace

int run_complete(const CompleteOptions& options) {
  const std::string typed = options.words.empty() ? std::string() : options.words.back();
  const auto completion = complete(options.shape, options.words);
  print(completion.candidates, typed);
  if (completion.ask != Completion::Ask::nothing) {
    if (const auto answer = ask(completion)) {
      print(*answer, typed);
    }
  }
  return 0;
}

}  // namespace waybill::cli::completion
