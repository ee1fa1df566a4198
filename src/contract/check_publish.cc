// The part of the check that looks at where events are told.
#include <algorithm>

#include "contract/check_parts.h"
#include "contract/publication.h"
#include "contract/section.h"

namespace waybill::contract {

namespace {

std::string described(const Publication& publication) {
  return joined({"the place to publish to \"", word_of(publication.to), "\""});
}

bool is_variable_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void check_parameters(const Contract& contract, const Publication& publication, Findings& findings) {
  std::vector<std::string> known;
  known.reserve(contract.parameters.size());
  for (const auto& parameter : contract.parameters) {
    known.push_back(parameter.name);
  }
  for (const auto& [key, text] : texts_of(publication)) {
    for (const auto& name : text->fields()) {
      if (std::ranges::find(known, name) == known.end()) {
        const std::string meant = nearest(name, known);
        findings.error(
            publication.place,
            joined({described(publication), " has {", name, "} in its ", key, ", which is no parameter"}),
            meant.empty() ? joined({"add ", name, " to the parameters"})
                          : joined({"did you mean {", meant, "}?"}));
      }
    }
  }
}

void check_url(const Publication& publication, const TextTemplate& url, Findings& findings) {
  const std::string begin = url.prefix();
  const bool has_scheme = begin.starts_with("http://") || begin.starts_with("https://");
  if (!url.parts().empty() && !has_scheme) {
    findings.error(publication.place,
                   joined({described(publication), " leads to \"", written(url), "\", which is no URL"}),
                   "begin it with https:// or http://");
  }
}

void check_variable(const Publication& publication, std::string_view key, const std::string& name,
                    Findings& findings) {
  if (!name.empty() && !is_variable_name(name)) {
    // It may be the secret itself: it is not repeated.
    findings.error(
        publication.place,
        joined({described(publication), ": ", key, " does not name a variable of the environment"}),
        "name the variable that holds the secret, such as HOOK_SECRET; secrets are not written into the "
        "file");
  }
}

// What a queue may be called; only of names without parameters, as those are known when the server starts.
void check_queue_name(const Publication& publication, Findings& findings) {
  constexpr std::size_t length_max = 80;
  const std::string name = written(publication.queue);
  if (name.empty() || !publication.queue.is_literal()) {
    return;
  }
  const std::string_view stem =
      name.ends_with(".fifo") ? std::string_view(name).substr(0, name.size() - 5) : std::string_view(name);
  const bool has_only_allowed = std::ranges::all_of(stem, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (stem.empty() || !has_only_allowed || name.size() > length_max) {
    findings.error(
        publication.place,
        joined({described(publication), " has a name that no queue can have: \"", name, "\""}),
        "use up to 80 letters, digits, hyphens and underscores, and .fifo at the end where it is one");
  }
}

void check_one(const Contract& contract, const Publication& publication, Findings& findings) {
  check_parameters(contract, publication, findings);
  check_url(publication, publication.url, findings);
  check_url(publication, publication.endpoint, findings);
  check_variable(publication, "secret_env", publication.secret_env, findings);
  check_variable(publication, "access_key_env", publication.access_key_env, findings);
  check_variable(publication, "secret_key_env", publication.secret_key_env, findings);
  check_queue_name(publication, findings);
  if (publication.to == Publication::Kind::webhook && publication.secret_env.empty()) {
    findings.warning(publication.place,
                     joined({described(publication), " is not signed: nobody can tell who posts there"}),
                     "say secret_env: NAME, a variable of the environment that holds a secret");
  }
}

}  // namespace

void check_publish(const Contract& contract, Findings& findings) {
  const auto& all = contract.publish;
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_one(contract, all[i], findings);
    const bool repeats = std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const Publication& earlier) { return same_place(earlier, all[i]); });
    if (repeats) {
      findings.error(all[i].place, joined({described(all[i]), " is here twice"}), "keep one of them");
    }
  }
  const bool has_events =
      std::ranges::any_of(contract.records, [](const Record& record) { return !record.events.empty(); });
  if (!all.empty() && !has_events) {
    findings.warning(all.front().place, "there is a place to publish to, and no record has events",
                     "give a record events: [{on: STATE, type: TYPE}], or take publish away");
  }
}

}  // namespace waybill::contract
