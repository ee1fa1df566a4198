#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/problem.h"

// A YAML file as a tree that knows where everything stands. The only part that knows the YAML library.
namespace waybill::contract {

class Yaml {
 public:
  enum class Kind : unsigned char { nothing, word, list, map };

  struct Entry;

  // Problems where the text is no YAML, or has one key twice; then the tree is what could be read.
  static Yaml parse(const std::string& text, Problems& problems);

  Kind kind = Kind::nothing;
  Place place;
  std::string word;
  bool quoted = false;
  std::vector<Yaml> items;     // of a list
  std::vector<Entry> entries;  // of a map, in the order of the file

  const Yaml* find(std::string_view key) const;
  // "a list", for messages.
  std::string kind_text() const;
};

struct Yaml::Entry {
  Place place;  // of the key
  std::string key;
  Yaml value;
};

}  // namespace waybill::contract
