#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/model.h"
#include "contract/problem.h"
#include "contract/text_template.h"

// What a mapping's file says: which rows are read, and which items they become. Plain data.
namespace waybill::intake {

// What becomes of a column's value.
enum class Kind : unsigned char {
  automatic,  // by the column's own type
  text,
  integer,
  number,
  boolean,
  timestamp,  // ISO 8601, UTC
  epoch_ms,
  epoch_s,
  uuid,
  ulid,  // made of the value and of the row's time
  json,
  list,  // of an array
  set,   // ditto
  binary,
};

// How much of a second a timestamp keeps; the rest is cut off.
enum class Precision : unsigned char { seconds, milliseconds, microseconds };

// A value that the mapping itself gives: a constant, or a text with attributes in it.
struct Given {
  std::string encoded;                         // see item/value.h; empty where it is a text
  std::optional<contract::TextTemplate> text;  // its fields are attributes
};

// One attribute of the items: a column with what becomes of it, or a value.
struct Attribute {
  contract::Place place;
  std::string name;
  std::string column;  // "": `value` it is
  Kind kind = Kind::automatic;
  Kind element = Kind::automatic;  // of a list or a set
  Precision precision = Precision::milliseconds;
  std::string time_column;  // of a ulid
  std::optional<Given> value;
  std::optional<Given> if_null;  // none: a row without a value becomes an item without the attribute
};

struct Source {
  contract::Place place;
  std::string schema;  // "": the first in the connection's search path
  std::string table;   // "": a query that stands for itself, whose changes cannot be followed
  std::string query;   // "": the table as it is
  contract::Names key;
};

struct Target {
  contract::Place place;
  std::string contract;  // "": a table without one
  std::string record;
  std::string table;                                                // of a target without a contract
  std::vector<std::pair<std::string, contract::TextTemplate>> key;  // ditto
  bool is_shared = false;  // the table has items of the same form that come from elsewhere
};

struct Mapping {
  Source source;
  Target target;
  std::vector<Attribute> attributes;  // in the order of the file
};

// Reads a mapping's file. What is wrong with it is added to `problems`, all of it at once; then the mapping
// is of no use.
Mapping read_mapping(const std::string& text, contract::Problems& problems);

}  // namespace waybill::intake
