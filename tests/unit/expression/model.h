#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

// What expressions mean, written as plainly as possible on plain trees, to be held against the real thing.
// Numbers are whole and small.
namespace waybill::expression::testing::model {

struct Value {
  std::string type;  // "S", "N", "SS" …
  std::string text;  // of S and N; "true" or "false" of BOOL
  std::set<std::string> members;
  std::vector<Value> list;
  std::map<std::string, Value> map;

  bool operator==(const Value&) const = default;
};
using Item = std::map<std::string, Value>;

using Part = std::variant<std::string, int>;
using Path = std::vector<Part>;

inline std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

inline std::string json_of(const Item& item);

inline std::string json_of(const Value& value) {
  std::string inner;
  if (value.type == "S" || value.type == "N") {
    inner = quoted(value.text);
  } else if (value.type == "BOOL") {
    inner = value.text;
  } else if (value.type == "NULL") {
    inner = "true";
  } else if (value.type == "SS" || value.type == "NS") {
    for (const auto& member : value.members) {
      inner += (inner.empty() ? "" : ",") + quoted(member);
    }
    inner = "[" + inner + "]";
  } else if (value.type == "L") {
    for (const auto& element : value.list) {
      inner += (inner.empty() ? "" : ",") + json_of(element);
    }
    inner = "[" + inner + "]";
  } else {
    inner = json_of(value.map);
  }
  return "{" + quoted(value.type) + ":" + inner + "}";
}

inline std::string json_of(const Item& item) {
  std::string inner;
  for (const auto& [name, value] : item) {
    inner += (inner.empty() ? "" : ",") + quoted(name) + ":" + json_of(value);
  }
  return "{" + inner + "}";
}

inline const Value* step(const Value& value, const Part& part) {
  if (const auto* name = std::get_if<std::string>(&part)) {
    const auto found = value.map.find(*name);
    return value.type == "M" && found != value.map.end() ? &found->second : nullptr;
  }
  const auto index = static_cast<std::size_t>(std::get<int>(part));
  return value.type == "L" && index < value.list.size() ? &value.list[index] : nullptr;
}

inline Value as_map(const Item& item) {
  return Value{.type = "M", .text = {}, .members = {}, .list = {}, .map = item};
}

inline std::optional<Value> resolve(const Item& item, const Path& path) {
  const Value whole = as_map(item);
  const Value* at = &whole;
  for (const Part& part : path) {
    at = step(*at, part);
    if (at == nullptr) {
      return std::nullopt;
    }
  }
  return *at;
}

inline Value number(long long value) {
  return Value{.type = "N", .text = std::to_string(value), .members = {}, .list = {}, .map = {}};
}

inline bool is_ordered(const Value& value) {
  return value.type == "S" || value.type == "N";
}

inline bool less(const Value& a, const Value& b) {
  return a.type == "N" ? std::stoll(a.text) < std::stoll(b.text) : a.text < b.text;
}

inline std::optional<Value> size_of(const std::optional<Value>& value) {
  if (!value) {
    return std::nullopt;
  }
  if (value->type == "S") {
    return number(static_cast<long long>(value->text.size()));  // the model's strings are ASCII
  }
  if (value->type == "SS" || value->type == "NS") {
    return number(static_cast<long long>(value->members.size()));
  }
  if (value->type == "L") {
    return number(static_cast<long long>(value->list.size()));
  }
  if (value->type == "M") {
    return number(static_cast<long long>(value->map.size()));
  }
  return std::nullopt;
}

inline bool contains(const Value& whole, const Value& part) {
  if (whole.type == "S" && part.type == "S") {
    return whole.text.find(part.text) != std::string::npos;
  }
  if ((whole.type == "SS" && part.type == "S") || (whole.type == "NS" && part.type == "N")) {
    return whole.members.count(part.text) > 0;
  }
  return whole.type == "L" && std::find(whole.list.begin(), whole.list.end(), part) != whole.list.end();
}

// The parts of an item that lie on `paths`: a sparse copy first, then the gaps in lists are closed.
struct Sparse {
  std::optional<Value> leaf;
  std::map<std::string, Sparse> names;
  std::map<int, Sparse> indexes;
};

inline Value closed(const Sparse& sparse) {
  if (sparse.leaf) {
    return *sparse.leaf;
  }
  Value value;
  value.type = sparse.indexes.empty() ? "M" : "L";
  for (const auto& [name, inner] : sparse.names) {
    value.map[name] = closed(inner);
  }
  for (const auto& [index, inner] : sparse.indexes) {
    value.list.push_back(closed(inner));
  }
  return value;
}

inline Item project(const Item& item, const std::vector<Path>& paths) {
  Sparse whole;
  for (const Path& path : paths) {
    const auto value = resolve(item, path);
    if (!value) {
      continue;
    }
    Sparse* at = &whole;
    for (const Part& part : path) {
      const auto* name = std::get_if<std::string>(&part);
      at = name != nullptr ? &at->names[*name] : &at->indexes[std::get<int>(part)];
    }
    at->leaf = value;
  }
  return closed(whole).map;
}

}  // namespace waybill::expression::testing::model
