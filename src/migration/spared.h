#pragma once

#include <map>
#include <string>
#include <vector>

#include "contract/text_template.h"
#include "item/value.h"
#include "rules/deployed.h"

namespace waybill::migration {

// Items that a migration of a field leaves alone: the lines of audit trails, which are proven by the hashes
// of all that is in them.
class Spared {
 public:
  Spared() = default;
  // Those of a contract; null: there are none.
  explicit Spared(const rules::Deployed* deployed);

  bool has(item::ItemView item) const;
  bool is_empty() const { return keys_.empty(); }

 private:
  std::vector<std::map<std::string, contract::TextTemplate>> keys_;
};

}  // namespace waybill::migration
