#include "cost/prices.h"

#include <gtest/gtest.h>

namespace waybill::cost {
namespace {

constexpr std::string_view standard =
    R"({"on_demand_read_million":1,"on_demand_write_million":2,"provisioned_read_unit_hour":3,)"
    R"("provisioned_write_unit_hour":4,"storage_gb_month":5})";

std::string file(const std::string& classes, const std::string& more = "") {
  return R"({"region":"r","currency":"EUR","date":"2026-01-01")" + more + R"(,"classes":)" + classes + "}";
}

std::string message(const std::string& text) {
  const auto prices = parse_prices(text, "p.json");
  return prices ? "" : prices.error().message;
}

TEST(Prices, OnesOwnTakeTheBuiltInOnesPlace) {
  const auto prices = parse_prices(file(R"({"STANDARD":)" + std::string(standard) + "}"), "p.json");
  ASSERT_TRUE(prices);
  EXPECT_EQ(prices->currency, "EUR");
  EXPECT_EQ(prices->source, "p.json");
  EXPECT_EQ(prices->of("STANDARD").on_demand_write_million, 2);
  EXPECT_EQ(prices->of("STANDARD").storage_gb_month, 5);
  EXPECT_EQ(prices->of("STANDARD_INFREQUENT_ACCESS").storage_gb_month, 5);
}

TEST(Prices, AFaultNamesFileAndMember) {
  EXPECT_EQ(message("nothing"), "the price file p.json: it is not a JSON object");
  EXPECT_EQ(message("{}"), "the price file p.json: region is missing");
  EXPECT_EQ(message(R"({"region":1})"), "the price file p.json: region must be a text");
  EXPECT_EQ(message(file("{}")), "the price file p.json: classes.STANDARD is missing");
  EXPECT_EQ(message(file("[]")), "the price file p.json: classes must be an object");
  EXPECT_EQ(message(file(R"({"STANDARD":{}})")),
            "the price file p.json: classes.STANDARD.on_demand_read_million is missing");
  EXPECT_EQ(message(file(R"({"OTHER":{}})")), "the price file p.json: classes.OTHER is not known");
  EXPECT_EQ(message(file("{}", R"(,"colour":"red")")), "the price file p.json: colour is not known");
}

TEST(Prices, ANegativePriceOrATextIsNone) {
  std::string text = file(R"({"STANDARD":)" + std::string(standard) + "}");
  text.replace(text.find("month\":5"), 8, "month\":-1");
  EXPECT_EQ(message(text),
            "the price file p.json: classes.STANDARD.storage_gb_month must be a number of 0 or more");
}

TEST(Prices, TheBuiltInOnesHaveBothClasses) {
  EXPECT_EQ(built_in_prices().region, "us-east-1");
  EXPECT_EQ(built_in_prices().of("STANDARD").on_demand_write_million, 0.625);
  EXPECT_EQ(built_in_prices().of("STANDARD_INFREQUENT_ACCESS").storage_gb_month, 0.1);
}

}  // namespace
}  // namespace waybill::cost
