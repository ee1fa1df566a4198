#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contract/model.h"
#include "item/value.h"
#include "table/table.h"

namespace waybill::rules {

// A kind of record of a contract that is in force, with all names worked out.
struct Kind {
  const contract::Record* record = nullptr;
  std::vector<std::string> key_fields;  // that identify a record of this kind, in the order of its id
  std::string queue;                    // "": there is no work on it
  std::string dead_letters;             // "": it has none
};

// A bucket of a contract in force.
struct DeployedBucket {
  std::string name;
  const contract::Bucket* bucket = nullptr;
};

// A contract that is in force: what the file says, with its parameters filled in. Never changes.
struct Deployed {
  contract::Contract contract;
  std::string text;   // of the file
  std::string table;  // the table's name
  std::vector<Kind> kinds;
  std::vector<DeployedBucket> buckets;

  const Kind* find(std::string_view record) const;
};
using DeployedPtr = std::shared_ptr<const Deployed>;

// Fills in the names. The contract has no errors (contract/check.h); its parameters have their values.
Result<DeployedPtr> deploy(contract::Contract contract, std::string text);

// A record's id as paths and histories have it: the values of its key fields, in order, with commas between.
// In a value "%", "," and "/" are written as %25, %2C and %2F. Nothing where the item lacks one.
std::optional<std::string> id_of(const Kind& kind, item::ItemView item);

// The same as histories and events name it: "orchestrator/job/ID".
std::optional<std::string> path_of(const Deployed& deployed, const Kind& kind, item::ItemView item);

// The key attributes of the table, and the fields they are made of, of the record with that id. Error invalid
// where the text is no id of this kind.
Result<item::Item> key_of_id(const Deployed& deployed, const Kind& kind, std::string_view id);

// The key attributes for an item that has the key fields. Error invalid, with the field's name, where one is
// missing or does not fit.
Result<item::Item> key_of_fields(const Deployed& deployed, const Kind& kind, item::ItemView fields);

// Whether the item's key attributes could be made by these texts.
bool has_key(const std::map<std::string, contract::TextTemplate>& key, item::ItemView item);

// The values of parameters: what a template's {env} stands for.
std::optional<std::string> parameter(const contract::Contract& contract, std::string_view name);

}  // namespace waybill::rules
