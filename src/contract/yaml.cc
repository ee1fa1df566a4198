#include "contract/yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace waybill::contract {

namespace {

constexpr int depth_max = 50;

Place place_of(const YAML::Mark& mark) {
  return {mark.line + 1, mark.column + 1};
}

class Builder {
 public:
  explicit Builder(Problems& problems) : problems_(problems) {}

  Yaml build(const YAML::Node& node, int depth) {
    Yaml built;
    built.place = place_of(node.Mark());
    if (depth > depth_max) {
      report(built.place, "this stands too deep inside of other values", "use fewer levels");
      return built;
    }
    if (node.IsScalar()) {
      built.kind = Yaml::Kind::word;
      built.word = node.Scalar();
      built.quoted = node.Tag() == "!";
    } else if (node.IsSequence()) {
      built.kind = Yaml::Kind::list;
      for (const auto& item : node) {
        built.items.push_back(build(item, depth + 1));
      }
    } else if (node.IsMap()) {
      built.kind = Yaml::Kind::map;
      for (const auto& pair : node) {
        add_entry(built, pair.first, pair.second, depth);
      }
    }
    return built;
  }

 private:
  void add_entry(Yaml& map, const YAML::Node& key, const YAML::Node& value, int depth) {
    const Place place = place_of(key.Mark());
    if (!key.IsScalar()) {
      report(place, "a key must be a word",
             "write it as one word, in quotes where it has special characters");
      return;
    }
    if (const Yaml* const before = map.find(key.Scalar())) {
      report(place,
             "\"" + key.Scalar() + "\" is here twice, first in line " + std::to_string(before->place.line),
             "keep one of them");
      return;
    }
    map.entries.push_back({place, key.Scalar(), build(value, depth + 1)});
  }

  void report(Place place, std::string what, std::string remedy) {
    problems_.push_back({Problem::Weight::error, place, std::move(what), std::move(remedy)});
  }

  Problems& problems_;
};

}  // namespace

Yaml Yaml::parse(const std::string& text, Problems& problems) {
  // The library throws; nothing of that leaves this function.
  try {
    return Builder(problems).build(YAML::Load(text), 0);
  } catch (const YAML::Exception& exception) {
    problems.push_back({Problem::Weight::error, place_of(exception.mark),
                        "this is not YAML: " + exception.msg,
                        "check the indentation and the brackets here and in the line before"});
    return {};
  }
}

const Yaml* Yaml::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
}

std::string Yaml::kind_text() const {
  switch (kind) {
    case Kind::nothing:
      return "nothing";
    case Kind::word:
      return "\"" + word + "\"";
    case Kind::list:
      return "a list";
    case Kind::map:
      break;
  }
  return "a map";
}

}  // namespace waybill::contract
