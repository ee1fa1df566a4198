#include "item/member_names.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace waybill::item {
namespace {

std::string object_of(const std::vector<std::string>& names) {
  std::string text = "{";
  for (const auto& name : names) {
    text.append(text.size() > 1 ? "," : "").append("\"").append(name).append("\":0");
  }
  return text.append("}");
}

TEST(MemberNamesTest, FindsNamesThatComeTwice) {
  std::mt19937_64 random(20251005);
  json::Parser parser;
  for (const std::size_t count : {0, 1, 2, 3, 10, 63, 64, 65, 66, 300}) {
    for (int round = 0; round < 300; ++round) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) {
        // Names of every length that differ in the middle alone.
        const auto number = std::to_string(random() % (count * count + 1));
        names.push_back(std::string(random() % 3 * 4, 'x') + number + std::string(random() % 3 * 4, 'y'));
      }
      const auto object = parser.parse_copy(object_of(names));
      const bool expected = std::set<std::string>(names.begin(), names.end()).size() != names.size();
      ASSERT_EQ(has_namesakes(*object), expected) << object_of(names);
    }
  }
}

TEST(MemberNamesTest, TellsWhichMembersAreSuperseded) {
  json::Parser parser;
  const auto object = parser.parse_copy(object_of({"a", "b", "a", "", "a", "", "c"}));
  const std::vector<bool> expected = {true, false, true, true, false, false, false};
  EXPECT_EQ(superseded_members(*object), expected);
}

}  // namespace
}  // namespace waybill::item
