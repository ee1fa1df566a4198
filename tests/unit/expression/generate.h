#pragma once

#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "expression/model.h"

// Random items, paths and values for the model tests, and the placeholders of the text that names them.
namespace waybill::expression::testing::model {

// The seed of this run: WAYBILL_SEED, or a new one. It is printed, so that a failure can be run again.
inline unsigned seed() {
  static const unsigned chosen = [] {
    const char* const given = std::getenv("WAYBILL_SEED");
    const unsigned value =
        given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device()();
    std::cout << "WAYBILL_SEED=" << value << std::endl;
    return value;
  }();
  return chosen;
}

class Random {
 public:
  explicit Random(unsigned salt) : engine_(seed() + salt) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(engine_); }
  bool chance(int percent) { return below(100) < percent; }

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

 private:
  std::mt19937 engine_;
};

class Generator {
 public:
  explicit Generator(unsigned salt) : random(salt) {}

  Value scalar(const std::string& type) {
    if (type == "N") {
      return number(random.below(7) - 2);
    }
    return Value{.type = "S", .text = random.pick(texts_), .members = {}, .list = {}, .map = {}};
  }

  Value value(int depth = 2) {
    static const std::vector<std::string> types = {"S", "N", "S", "N", "BOOL", "NULL", "SS", "NS", "L", "M"};
    Value made;
    made.type = random.pick(types);
    if (made.type == "S" || made.type == "N") {
      return scalar(made.type);
    }
    if (made.type == "BOOL") {
      made.text = random.chance(50) ? "true" : "false";
    }
    if (made.type == "SS" || made.type == "NS") {
      for (int i = random.below(3); i >= 0; --i) {
        made.members.insert(scalar(made.type.substr(0, 1)).text);
      }
    }
    for (int i = depth > 0 ? random.below(4) : 0; i > 0 && made.type == "L"; --i) {
      made.list.push_back(value(depth - 1));
    }
    for (int i = depth > 0 ? random.below(4) : 0; i > 0 && made.type == "M"; --i) {
      made.map[random.pick(names_)] = value(depth - 1);
    }
    return made;
  }

  Item item() {
    Item made;
    for (int i = random.below(6); i > 0; --i) {
      made[random.pick(names_)] = value();
    }
    return made;
  }

  // Mostly one that leads somewhere in `item`.
  Path path(const Item& item) {
    Path made = {random.pick(names_)};
    for (int i = 0; i < 3 && random.chance(60); ++i) {
      const auto at = resolve(item, made);
      const bool list = at ? at->type == "L" : random.chance(30);
      if (at && at->type != "L" && at->type != "M" && random.chance(85)) {
        break;
      }
      made.push_back(list != random.chance(5) ? Part(random.below(4)) : Part(random.pick(names_)));
    }
    return made;
  }

  std::string text(const Path& path) {
    std::string made;
    for (const Part& part : path) {
      if (const auto* name = std::get_if<std::string>(&part)) {
        made += made.empty() ? "" : ".";
        made += random.chance(30) ? placeholder(*name) : *name;
      } else {
        made += "[" + std::to_string(std::get<int>(part)) + "]";
      }
    }
    return made;
  }

  std::string text(const Value& value) {
    const std::string key = ":v" + std::to_string(values_.size());
    values_[key] = value;
    return key;
  }

  // ExpressionAttributeNames and -Values of all that was rendered since the last reset; "" for none.
  std::string values_json() const { return values_.empty() ? "" : json_of(values_); }
  std::string names_json() const {
    std::string inner;
    for (const auto& [key, name] : used_names_) {
      inner += (inner.empty() ? "" : ",") + quoted(key) + ":" + quoted(name);
    }
    return inner.empty() ? "" : "{" + inner + "}";
  }
  void reset() {
    values_.clear();
    used_names_.clear();
  }

  Random random;

 private:
  std::string placeholder(const std::string& name) {
    const std::string key = "#" + name;
    used_names_[key] = name;
    return key;
  }

  const std::vector<std::string> names_ = {"a", "b", "c", "d"};
  const std::vector<std::string> texts_ = {"", "a", "ab", "b", "abc"};
  Item values_;
  std::map<std::string, std::string> used_names_;
};

}  // namespace waybill::expression::testing::model
