#include "job/key_text.h"

namespace waybill::job {

KnownText known_text(const rules::Deployed& deployed, const contract::TextTemplate& text,
                     const ValueOfField& value_of) {
  KnownText known;
  for (const auto& part : text.parts()) {
    if (!part.is_field) {
      known.text += part.text;
      continue;
    }
    auto value = rules::parameter(deployed.contract, part.text);
    value = value ? value : value_of(part.text);
    if (!value) {
      known.is_whole = false;
      return known;
    }
    known.text.append(part.width > value->size() ? part.width - value->size() : 0, '0');
    known.text += *value;
  }
  return known;
}

}  // namespace waybill::job
