#include "contract/section.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "contract/duration.h"

namespace waybill::contract {

namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

// How many letters differ, are missing or too many.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : words) {
    if (const std::size_t far = distance(word, candidate); far < least) {
      least = far;
      best = candidate;
    }
  }
  return best;
}

Section::Section(const Yaml& yaml, std::string what, Problems& problems)
    : yaml_(yaml), what_(std::move(what)), problems_(problems) {
  if (yaml_.kind != Yaml::Kind::map) {
    error(yaml_.place, what_ + " is a map, not " + yaml_.kind_text(), "write its keys below it, one a line");
  }
}

Section::~Section() {
  for (const auto& entry : yaml_.entries) {
    if (std::ranges::find(asked_, entry.key) != asked_.end()) {
      continue;
    }
    const std::string meant = nearest(entry.key, asked_);
    error(entry.place, what_ + " has no " + in_quotes(entry.key),
          meant.empty() ? "it may have " + listed(asked_) : "did you mean " + in_quotes(meant) + "?");
  }
}

void Section::error(Place place, std::string what, std::string remedy) {
  problems_.push_back({Problem::Weight::error, place, std::move(what), std::move(remedy)});
}

const Yaml* Section::take(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) {
    asked_.emplace_back(key);
  }
  return peek(key);
}

const Yaml* Section::need(std::string_view key, std::string_view remedy) {
  const Yaml* const value = take(key);
  if (value == nullptr && yaml_.kind == Yaml::Kind::map) {
    error(yaml_.place, what_ + " lacks " + in_quotes(key), std::string(remedy));
  }
  return value;
}

const std::vector<Yaml::Entry>& read_entries(const Yaml& yaml, const std::string& what, Problems& problems) {
  if (yaml.kind != Yaml::Kind::map) {
    problems.push_back({Problem::Weight::error, yaml.place, what + " is a map, not " + yaml.kind_text(),
                        "write a name, a colon and what is said of it, one a line"});
  }
  return yaml.entries;
}

std::optional<Name> read_name(const Yaml& yaml, const std::string& what, Problems& problems) {
  if (yaml.kind != Yaml::Kind::word || yaml.word.empty()) {
    problems.push_back(
        {Problem::Weight::error, yaml.place, what + " is a name, not " + yaml.kind_text(), "write one word"});
    return {};
  }
  return Name{yaml.word, yaml.place};
}

Names read_names(const Yaml& yaml, const std::string& what, Problems& problems) {
  Names names;
  if (yaml.kind != Yaml::Kind::list) {
    if (auto one = read_name(yaml, what, problems)) {
      names.push_back(*std::move(one));
    }
    return names;
  }
  for (const auto& item : yaml.items) {
    auto one = read_name(item, what, problems);
    if (!one) {
      continue;
    }
    if (std::ranges::find(names, *one) != names.end()) {
      problems.push_back({Problem::Weight::error, item.place,
                          what + " has " + in_quotes(one->text) + " twice", "keep one of them"});
      continue;
    }
    names.push_back(*std::move(one));
  }
  return names;
}

std::optional<Formula> read_formula(const Yaml& yaml, const std::string& what, Problems& problems) {
  const auto literal = [](Formula::Node::Kind kind) {
    Formula::Node node;
    node.kind = kind;
    return Formula::of(std::move(node));
  };
  if (yaml.kind == Yaml::Kind::list && yaml.items.empty()) {
    return literal(Formula::Node::Kind::empty_list);
  }
  if (yaml.kind == Yaml::Kind::map && yaml.entries.empty()) {
    return literal(Formula::Node::Kind::empty_map);
  }
  if (yaml.kind != Yaml::Kind::word) {
    problems.push_back({Problem::Weight::error, yaml.place, what + " is a value, not " + yaml.kind_text(),
                        "write a number, a text in quotes, or a sum of fields"});
    return {};
  }
  auto formula = Formula::parse(yaml.word, yaml.quoted ? Formula::Quoted::yes : Formula::Quoted::no);
  if (!formula) {
    problems.push_back({Problem::Weight::error, yaml.place, what + ": " + formula.error().message,
                        "texts go in quotes; fields of a text in braces"});
    return {};
  }
  return *std::move(formula);
}

std::optional<Name> Section::name(std::string_view key) {
  const Yaml* const value = take(key);
  return value == nullptr ? std::nullopt : read_name(*value, what_ + ": " + std::string(key), problems_);
}

std::optional<Name> Section::needed_name(std::string_view key, std::string_view remedy) {
  const Yaml* const value = need(key, remedy);
  return value == nullptr ? std::nullopt : read_name(*value, what_ + ": " + std::string(key), problems_);
}

Names Section::names(std::string_view key) {
  const Yaml* const value = take(key);
  return value == nullptr ? Names() : read_names(*value, what_ + ": " + std::string(key), problems_);
}

std::optional<int64_t> Section::integer(std::string_view key, int64_t minimum, int64_t maximum) {
  const Yaml* const value = take(key);
  if (value == nullptr) {
    return {};
  }
  int64_t number = 0;
  const char* const end = value->word.data() + value->word.size();
  const auto [stopped, failed] = std::from_chars(value->word.data(), end, number);
  if (value->kind != Yaml::Kind::word || failed != std::errc() || stopped != end || number < minimum ||
      number > maximum) {
    error(value->place, what_ + ": " + std::string(key) + " is a whole number, not " + value->kind_text(),
          "write one between " + std::to_string(minimum) + " and " + std::to_string(maximum));
    return {};
  }
  return number;
}

std::optional<bool> Section::boolean(std::string_view key) {
  const auto word = choice(key, {"true", "false"});
  return word ? std::optional(*word == "true") : std::nullopt;
}

std::optional<int64_t> Section::duration_s(std::string_view key) {
  const Yaml* const value = take(key);
  if (value == nullptr) {
    return {};
  }
  const auto seconds = value->kind == Yaml::Kind::word ? parse_duration(value->word) : std::nullopt;
  if (!seconds) {
    error(value->place, what_ + ": " + std::string(key) + " is a length of time, not " + value->kind_text(),
          "write it as 30s, 2m, 72h or 90d");
  }
  return seconds;
}

std::optional<TextTemplate> Section::text_template(std::string_view key) {
  const Yaml* const value = take(key);
  if (value == nullptr) {
    return {};
  }
  if (value->kind != Yaml::Kind::word) {
    error(value->place, what_ + ": " + std::string(key) + " is a text, not " + value->kind_text(),
          "write a text, with fields in braces");
    return {};
  }
  auto parsed = TextTemplate::parse(value->word);
  if (!parsed) {
    error(value->place, what_ + ": " + std::string(key) + ": " + parsed.error().message,
          "write it as in \"ASSET#{asset_id}#V#{version:08}\"");
    return {};
  }
  return *std::move(parsed);
}

std::optional<Formula> Section::formula(std::string_view key) {
  const Yaml* const value = take(key);
  return value == nullptr ? std::nullopt : read_formula(*value, what_ + ": " + std::string(key), problems_);
}

std::optional<std::string> Section::choice(std::string_view key,
                                           std::initializer_list<std::string_view> words) {
  const Yaml* const value = take(key);
  if (value == nullptr) {
    return {};
  }
  if (value->kind == Yaml::Kind::word && std::ranges::find(words, value->word) != words.end()) {
    return value->word;
  }
  error(value->place, what_ + ": " + std::string(key) + " cannot be " + value->kind_text(),
        "write " + listed({words.begin(), words.end()}));
  return {};
}

}  // namespace waybill::contract
