#include "transfer/csv.h"

#include <gtest/gtest.h>

namespace waybill::transfer {
namespace {

using Fields = std::vector<std::string>;

TEST(Csv, Fields) {
  EXPECT_EQ(*split_csv("a,b", ','), (Fields{"a", "b"}));
  EXPECT_EQ(*split_csv("", ','), (Fields{""}));
  EXPECT_EQ(*split_csv(",", ','), (Fields{"", ""}));
  EXPECT_EQ(*split_csv("a;,;", ';'), (Fields{"a", ",", ""}));
  EXPECT_EQ(*split_csv("\"a,b\",\"\"", ','), (Fields{"a,b", ""}));
  EXPECT_EQ(*split_csv("\"say \"\"hi\"\"\",x", ','), (Fields{"say \"hi\"", "x"}));
  EXPECT_EQ(*split_csv("a\"b,c", ','), (Fields{"a\"b", "c"}));
  EXPECT_EQ(split_csv("\"a", ',').error().message, "a quote is not closed");
  EXPECT_EQ(split_csv("\"a\"b,c", ',').error().message, "something stands behind a closing quote");
}

TEST(Csv, TypesComeFromTheTable) {
  table::Table table;
  table.key.partition = {"id", item::Type::string};
  table.key.sort = table::KeyAttribute{"n", item::Type::number};
  auto& index = table.indexes.emplace_back();
  index.key.partition = {"raw", item::Type::binary};
  const Fields header{"id", "n", "raw", "text"};
  EXPECT_EQ(*csv_to_json(header, {"a", "1", "AAE=", "5"}, table),
            R"({"id":{"S":"a"},"n":{"N":"1"},"raw":{"B":"AAE="},"text":{"S":"5"}})");
  EXPECT_EQ(*csv_to_json(header, {"", "", "", ""}, table), R"({"id":{"S":""},"n":{"N":""},"text":{"S":""}})");
  EXPECT_EQ(*csv_to_json(header, {"a"}, table), R"({"id":{"S":"a"}})");
  EXPECT_FALSE(csv_to_json(header, {"a", "1", "", "", "x"}, table));
}

}  // namespace
}  // namespace waybill::transfer
