#pragma once

#include <functional>
#include <optional>
#include <string>

#include "contract/text_template.h"
#include "rules/deployed.h"

namespace waybill::job {

// A text of a contract as far as its fields are known, from the front.
struct KnownText {
  std::string text;
  bool is_whole = true;
};

using ValueOfField = std::function<std::optional<std::string>(const std::string& field)>;

// Parameters have their values; numbers are padded as the text says.
KnownText known_text(const rules::Deployed& deployed, const contract::TextTemplate& text,
                     const ValueOfField& value_of);

}  // namespace waybill::job
