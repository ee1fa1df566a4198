#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/model.h"
#include "contract/text_template.h"
#include "item/value.h"

namespace waybill::intake {

// Where items go, as the server has it.
struct KeyPart {
  std::string attribute;
  item::Type type = item::Type::string;  // string, number or binary
  // How it is made of attributes; nothing: it is an attribute itself.
  std::optional<contract::TextTemplate> text;
};

struct Shape {
  std::string table;
  std::vector<KeyPart> key;                // one or two
  std::string ttl;                         // the attribute by which items expire; "": none
  std::optional<contract::Record> record;  // of a contract
};

}  // namespace waybill::intake
