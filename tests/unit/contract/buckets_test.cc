// Buckets of contracts: sizes, what the reader makes of a file, and what a change of them is.
#include <gtest/gtest.h>

#include "contract/byte_size.h"
#include "contract/check.h"
#include "contract/compare.h"
#include "contract/reader.h"

namespace waybill::contract {
namespace {

std::string with_buckets(const std::string& buckets) {
  return "contract: a\nversion: 1\nparameters: {env: {default: dev}}\ntable: {name: a, key: id}\nbuckets: " +
         buckets + "\nrecords: {thing: {id: {field: id, kind: ulid}, fields: {}}}\n";
}

Contract read(const std::string& buckets) {
  Problems problems;
  auto contract = read_contract(with_buckets(buckets), problems);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.front().what);
  return *std::move(contract);
}

TEST(ByteSize, IsAWholeNumberAndAUnit) {
  EXPECT_EQ(parse_byte_size("25MB"), 25'000'000);
  EXPECT_EQ(parse_byte_size("25MiB"), 26'214'400);
  EXPECT_EQ(parse_byte_size("512B"), 512);
  EXPECT_EQ(parse_byte_size("5TiB"), int64_t{5} << 40);
  for (const auto* const none :
       {"", "25", "MB", "-1MB", "2.5MB", "25mb", "25 MB", "6TiB", "99999999999999999999B"}) {
    EXPECT_FALSE(parse_byte_size(none)) << none;
  }
  EXPECT_EQ(byte_size_text(25'000'000), "25MB");
  EXPECT_EQ(byte_size_text(1'048'576), "1MiB");
  EXPECT_EQ(byte_size_text(1'001), "1001B");
}

TEST(ContractBuckets, AreRead) {
  const auto contract =
      read(R"({"photos-{env}": {size_max: 1KB, types: image/PNG, expires: 2h}, final: {}})");
  ASSERT_EQ(contract.buckets.size(), 2U);
  EXPECT_EQ(contract.buckets[0].bytes_max, 1000);
  EXPECT_EQ(contract.buckets[0].types, std::vector<std::string>{"image/png"});
  EXPECT_EQ(contract.buckets[0].expires_s, 7200);
  EXPECT_FALSE(contract.buckets[1].bytes_max);
  EXPECT_TRUE(check(contract).empty());
}

TEST(ContractBuckets, ChangesOfThemAreSafe) {
  const auto differences =
      compare(read("{photos: {size_max: 1MB}, old: {}}"), read("{photos: {expires: 1d}, new: {}}"));
  ASSERT_EQ(differences.size(), 5U);  // the version among them
  for (const auto& difference : differences) {
    EXPECT_TRUE(difference.kind == Difference::Kind::safe || difference.what.starts_with("the version"))
        << difference.what;
  }
}

}  // namespace
}  // namespace waybill::contract
