#include "contract/picture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "contract/reader.h"

namespace waybill::contract {
namespace {

Contract contract_of(const std::string& name) {
  std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/" + name + ".yaml");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Problems problems;
  return read_contract(text, problems).value_or(Contract());
}

TEST(Picture, DrawsAStateALineAndItsMovesBelow) {
  EXPECT_EQ(machine_text(*contract_of("photo-editor").find("job")),
            "QUEUED  (start)\n"
            "  └─> PROCESSING  claim\n"
            "PROCESSING\n"
            "  └─> EDITING\n"
            "EDITING\n"
            "  ├─> COMPLETED   done\n"
            "  └─> FAILED      fail\n"
            "COMPLETED  (end)\n"
            "FAILED  (end)\n"
            "  └─> QUEUED      replay, by hand\n");
}

TEST(Picture, SaysHowLongEndsAreKeptAndWhoDecides) {
  EXPECT_EQ(machine_text(*contract_of("asset-creator").find("job")),
            "queued  (start)\n"
            "  ├─> running    claim\n"
            "  └─> canceled   cancel\n"
            "running\n"
            "  ├─> paused     pause\n"
            "  ├─> completed  done\n"
            "  ├─> failed     fail\n"
            "  └─> canceled   cancel\n"
            "canceled  (end, kept for 90d, then archived)\n"
            "paused\n"
            "  ├─> running    approve\n"
            "  ├─> failed     reject\n"
            "  └─> canceled   cancel\n"
            "completed  (end, kept for 90d, then archived)\n"
            "failed  (end, kept for 90d, then archived)\n");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Picture, TheSvgHasABoxForEachStateAndAnArrowForEachMove) {
  const std::string svg = machine_svg(*contract_of("orchestrator").find("job"));
  EXPECT_EQ(count(svg, "<g class=\"state\">"), 7U);
  EXPECT_EQ(count(svg, "marker-end"), 12U);
  EXPECT_EQ(count(svg, "class=\"move hand\""), 1U);
  EXPECT_NE(svg.find(">canceled</text>"), std::string::npos);
}

TEST(Picture, ARecordWithoutAStatusHasNone) {
  EXPECT_EQ(machine_text(*contract_of("asset-creator").find("project")), "");
  EXPECT_EQ(machine_svg(*contract_of("asset-creator").find("project")), "");
}

}  // namespace
}  // namespace waybill::contract
