// Two versions of a record are gathered together and the item that rules make is put together from stretches
// of the old one. Both are held against the plain way, attribute by attribute, over random items.
#include "rules/draft.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "contract/reader.h"
#include "rules/deployed.h"

namespace waybill::rules {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;  // names with encoded values

Plan photo_plan() {
  std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/photo-editor.yaml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  contract::Problems problems;
  auto contract = contract::read_contract(text, problems);
  WAYBILL_CHECK(contract.has_value());
  return compile(*deploy(*std::move(contract), text));
}

std::string string_value(std::string_view text) {
  std::string encoded;
  item::append_scalar(encoded, item::Type::string, text);
  return encoded;
}

item::Item item_of(const Attributes& attributes) {
  item::Item item;
  for (const auto& [name, value] : attributes) {
    item::append_attribute(item.encoded, name, item::ValueView(value.data()));
  }
  return item;
}

std::map<std::string, std::string> by_name(item::ItemView item) {
  std::map<std::string, std::string> found;
  for (item::AttributeCursor cursor(item); cursor.next();) {
    WAYBILL_CHECK(found.emplace(cursor.name(), cursor.value().encoded()).second);
  }
  return found;
}

// Names of fields, and some that no contract knows, one of them long.
class RandomItems {
 public:
  RandomItems(const KindPlan& kind, uint64_t seed) : random_(seed) {
    for (std::size_t slot = 0; slot < kind.names.size(); ++slot) {
      names_.push_back(kind.names.name(static_cast<uint16_t>(slot)));
    }
    names_.insert(names_.end(), {"other", "x", std::string(200, 'n')});
  }

  uint64_t below(uint64_t bound) { return random_() % bound; }

  Attributes make() {
    Attributes made;
    for (const auto& name : names_) {
      if (below(3) > 0) {
        made.emplace_back(name, value());
      }
    }
    std::shuffle(made.begin(), made.end(), random_);
    return made;
  }

  Attributes changed(Attributes from) {
    for (uint64_t edits = below(4); edits > 0 && !from.empty(); --edits) {
      const std::size_t at = below(from.size());
      switch (below(4)) {
        case 0:
          from[at].second = value();
          break;
        case 1:
          from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 2:
          std::swap(from[at], from[below(from.size())]);
          break;
        default:
          // Its last bytes look like the attributes behind it, which are gone.
          from[at].second =
              string_value(item_of({from.begin() + static_cast<std::ptrdiff_t>(at) + 1, from.end()}).encoded);
          from.resize(at + 1);
      }
    }
    return from;
  }

  std::string value() {
    if (below(4) == 0) {
      std::string encoded;
      item::append_scalar(encoded, item::Type::number, std::to_string(below(1000)));
      return encoded;
    }
    return string_value(std::string(below(40), static_cast<char>('a' + below(3))));
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> names_;
};

void expect_gathered(const Draft& draft, const KindPlan& kind, item::ItemView before, item::ItemView after) {
  for (std::size_t i = 0; i < kind.names.size(); ++i) {
    const auto slot = static_cast<uint16_t>(i);
    const auto& name = kind.names.name(slot);
    const auto was = before.find(name);
    const auto is = after.find(name);
    ASSERT_EQ(draft.before().at(slot).has_value(), was.has_value()) << name;
    ASSERT_EQ(draft.after().at(slot).has_value(), is.has_value()) << name;
    if (was) {
      EXPECT_EQ(draft.before().at(slot)->encoded().data(), was->encoded().data()) << name;
    }
    if (is) {
      EXPECT_EQ(draft.after().at(slot)->encoded().data(), is->encoded().data()) << name;
    }
    const bool is_same = was.has_value() == is.has_value() && (!was || was->encoded() == is->encoded());
    EXPECT_EQ(draft.touches(slot), !is_same) << name;
  }
}

TEST(DraftTest, GathersAndJoinsAsThePlainWayDoes) {
  const Plan plan = photo_plan();
  const KindPlan& kind = plan.kinds.front();
  RandomItems items(kind, 7);
  for (int round = 0; round < 3000; ++round) {
    const Attributes was = items.make();
    const auto before = item_of(was);
    const auto after = item_of(items.changed(was));
    Draft draft(kind, before.view(), after.view());
    expect_gathered(draft, kind, before.view(), after.view());

    auto expected = by_name(after.view());
    const uint64_t edits = items.below(6);
    for (uint64_t edit = 0; edit < edits; ++edit) {
      const auto slot = static_cast<uint16_t>(items.below(kind.names.size()));
      if (items.below(3) == 0) {
        draft.remove(slot);
        expected.erase(kind.names.name(slot));
      } else {
        const std::string value = items.value();
        draft.put(slot, value);
        expected[kind.names.name(slot)] = value;
      }
    }
    const int64_t bytes = item::size_bytes(after.view()) + draft.size_change_bytes();
    const auto made = draft.finish();
    ASSERT_EQ(made.has_value(), edits > 0);
    const item::ItemView last = made ? made->view() : after.view();
    ASSERT_EQ(by_name(last), expected) << "round " << round;
    EXPECT_EQ(bytes, item::size_bytes(last));
    for (std::size_t i = 0; i < kind.names.size(); ++i) {
      const auto slot = static_cast<uint16_t>(i);
      const auto value = last.find(kind.names.name(slot));
      ASSERT_EQ(draft.after().at(slot).has_value(), value.has_value());
      if (value) {
        ASSERT_EQ(draft.after().at(slot)->encoded().data(), value->encoded().data()) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace waybill::rules
