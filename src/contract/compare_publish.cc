// The part of the comparison that looks at where events are told.
#include <algorithm>

#include "contract/compare_parts.h"
#include "contract/publication.h"

namespace waybill::contract {

namespace {

const Publication* find_place(const Contract& contract, const Publication& wanted) {
  const auto found = std::ranges::find_if(contract.publish,
                                          [&](const Publication& each) { return same_place(each, wanted); });
  return found == contract.publish.end() ? nullptr : &*found;
}

std::string described(const Publication& publication) {
  std::string text = joined({word_of(publication.to), " "});
  for (const auto& [key, value] : texts_of(publication)) {
    text += text.ends_with(' ') || value->parts().empty() ? "" : ", ";
    text += written(*value);
  }
  return text;
}

bool signs_the_same(const Publication& a, const Publication& b) {
  return a.secret_env == b.secret_env && a.access_key_env == b.access_key_env &&
         a.secret_key_env == b.secret_key_env;
}

}  // namespace

void compare_publish(const Contract& before, const Contract& after, Differences& found) {
  for (const auto& publication : after.publish) {
    const Publication* const old = find_place(before, publication);
    if (old == nullptr) {
      found.safe(joined({"events are also told to ", described(publication)}),
                 "those that are not told everywhere yet are told there as well");
    } else if (!signs_the_same(*old, publication)) {
      found.safe(joined({"events are signed otherwise for ", described(publication)}),
                 "it counts from the next start on");
    }
  }
  for (const auto& publication : before.publish) {
    if (find_place(after, publication) == nullptr) {
      found.safe(joined({"events are no longer told to ", described(publication)}),
                 "those that wait for it alone count as told, where another place is left");
    }
  }
}

}  // namespace waybill::contract
