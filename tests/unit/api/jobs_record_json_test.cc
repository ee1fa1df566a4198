// Records between plain JSON and items: nothing may get lost on the way, least of all digits.
#include "api/jobs/record_json.h"

#include <gtest/gtest.h>

#include "api/jobs_contracts.h"
#include "item/json.h"

namespace waybill::api::jobs {
namespace {

class RecordJson : public testing::Test {
 protected:
  static std::string padded(std::string text) {
    text.append(json::padding_bytes, ' ');
    return text;
  }

  // The item as the AWS protocols show it, or "field: message".
  std::string read(const std::string& text) {
    const std::string with_room = padded(text);
    const auto parsed = document_.parse(std::string_view(with_room).substr(0, text.size()));
    if (!parsed) {
      return "malformed: " + parsed.error().message;
    }
    const auto made = read_record(record(), document_, *parsed);
    return made ? aws(made->view()) : made.error().detail + ": " + made.error().message;
  }

  // The same for a patch, with paths that are to go behind it.
  std::string patch(const std::string& text) {
    const std::string with_room = padded(text);
    const auto made =
        read_patch(record(), document_, *document_.parse(std::string_view(with_room).substr(0, text.size())));
    if (!made) {
      return made.error().detail + ": " + made.error().message;
    }
    std::string told = aws(made->set.view());
    for (const auto& path : made->removed) {
      told += " -";
      for (const auto& name : path) {
        told += "/" + name;
      }
    }
    return told;
  }

  // Through the stored form and back.
  std::string there_and_back(const std::string& text) {
    const std::string with_room = padded(text);
    const auto parsed = document_.parse(std::string_view(with_room).substr(0, text.size()));
    std::string out;
    append_record(out, *contract_, *contract_->find("thing"),
                  read_record(record(), document_, *parsed)->view());
    return out;
  }

  static std::string aws(item::ItemView item) {
    std::string out;
    item::append_json(out, item);
    return out;
  }
  const contract::Record& record() const { return *contract_->find("thing")->record; }

  rules::DeployedPtr contract_ = deploy_of_all_types();
  Document document_;
};

TEST_F(RecordJson, ValuesAreWhatTheyLookLike) {
  EXPECT_EQ(
      read(R"({"a":"x","b":1,"free":{"t":true,"f":false,"n":null,"l":[1,"2",[]],"m":{}}})"),
      R"({"a":{"S":"x"},"b":{"N":"1"},"free":{"M":{"t":{"BOOL":true},"f":{"BOOL":false},"n":{"NULL":true},)"
      R"("l":{"L":[{"N":"1"},{"S":"2"},{"L":[]}]},"m":{"M":{}}}}})");
}

TEST_F(RecordJson, NumbersKeepAllDigits) {
  EXPECT_EQ(read(R"({"n":12345678901234567890123456789012345678})"),
            R"({"n":{"N":"12345678901234567890123456789012345678"}})");
  EXPECT_EQ(read(R"({"n":-0.1234567890123456789,"b":7})"),
            R"({"n":{"N":"-0.1234567890123456789"},"b":{"N":"7"}})");
  EXPECT_EQ(read(R"({"n":1.5e3})"), R"({"n":{"N":"1500"}})");
  EXPECT_EQ(read(R"({"n":0.1})"), R"({"n":{"N":"0.1"}})");
  EXPECT_EQ(read(R"({"n":9007199254740993})"), R"({"n":{"N":"9007199254740993"}})");
  EXPECT_EQ(read(R"({"n":18446744073709551615})"), R"({"n":{"N":"18446744073709551615"}})");
  EXPECT_EQ(read(R"({"n":-0})"), R"({"n":{"N":"0"}})");
  EXPECT_EQ(there_and_back(R"({"n":0.12345678901234567890123456789012345678})"),
            R"({"n":0.12345678901234567890123456789012345678})");
}

TEST_F(RecordJson, ATextThatLooksLikeANumberIsNone) {
  EXPECT_EQ(
      read(R"({"a":"12345678901234567890","n":12345678901234567890,"free":{"x\"1":3}})"),
      R"({"a":{"S":"12345678901234567890"},"n":{"N":"12345678901234567890"},"free":{"M":{"x\"1":{"N":"3"}}}})");
}

TEST_F(RecordJson, WhatIsNoNumberIsRefused) {
  for (const auto* const text :
       {"{\"n\":01234567890123456789}", "{\"n\":1.}", "{\"n\":12345678901234567890.}", "{\"n\":-}",
        "{\"n\":1234567890123456789e}", "{\"n\":12345678901234567890-1}", "{\"n\":+1}", "{\"n\":1e5.5}"}) {
    EXPECT_EQ(read(text).substr(0, 10), "malformed:") << text;
  }
  EXPECT_EQ(read(R"({"n":1e999})"),
            "n: n does not fit: numbers have up to 38 digits, between 1E-130 and 9.9E+125");
  EXPECT_EQ(read(R"({"n":123456789012345678901234567890123456789})").substr(0, 3), "n: ");
}

TEST_F(RecordJson, SetsAndBinaryAreByTheContract) {
  EXPECT_EQ(
      read(R"({"bytes":"AAEC","words":["b","a","b"],"numbers":[10,9,10],"blobs":["AQ=="]})"),
      R"({"bytes":{"B":"AAEC"},"words":{"SS":["a","b"]},"numbers":{"NS":["9","10"]},"blobs":{"BS":["AQ=="]}})");
  EXPECT_EQ(read(R"({"list":[{"data":"AAEC"}],"map":{"bytes":"AQ=="}})"),
            R"({"list":{"L":[{"M":{"data":{"B":"AAEC"}}}]},"map":{"M":{"bytes":{"B":"AQ=="}}}})");
  EXPECT_EQ(there_and_back(R"({"bytes":"AAEC","words":["a","b"],"numbers":[9,10],"blobs":["AQ=="]})"),
            R"({"bytes":"AAEC","words":["a","b"],"numbers":[9,10],"blobs":["AQ=="]})");
  EXPECT_EQ(read(R"({"list":[{"data":"?"}]})"),
            "list.0.data: list.0.data must be base64 (RFC 4648, 4), with padding");
  EXPECT_EQ(read(R"({"numbers":[1,"2"]})"), "numbers: numbers must have numbers alone");
  EXPECT_EQ(read(R"({"words":[]})"), "{}");
}

TEST_F(RecordJson, NullsAreLeftOutOfNewRecords) {
  EXPECT_EQ(read(R"({"a":null,"other":null,"map":{"inner":null}})"), R"({"map":{"M":{}}})");
}

TEST_F(RecordJson, TheLastOfSeveralMembersCounts) {
  EXPECT_EQ(read(R"({"a":"x","a":"y"})"), R"({"a":{"S":"y"}})");
}

TEST_F(RecordJson, PatchesRemoveWhatIsNull) {
  EXPECT_EQ(
      patch(R"({"a":"x","n":null,"map":{"inner":{"deep":null},"bytes":"AQ=="},"words":[]})"),
      R"({"a":{"S":"x"},"map":{"M":{"inner":{"M":{}},"bytes":{"B":"AQ=="}}}} -/n -/map/inner/deep -/words)");
  EXPECT_EQ(patch(R"({"map":{"bytes":"?"}})"),
            "map.bytes: map.bytes must be base64 (RFC 4648, 4), with padding");
}

TEST_F(RecordJson, NestingHasAnEnd) {
  const auto nested = [](int levels) {
    std::string text = "1";
    for (int i = 1; i < levels; ++i) {
      text = i % 2 == 0 ? "[" + text + "]" : R"({"x":)" + text + "}";
    }
    return R"({"free":)" + text + "}";
  };
  EXPECT_EQ(read(nested(32)).substr(0, 2), R"({")");
  EXPECT_EQ(patch(nested(32)).substr(0, 2), R"({")");
  EXPECT_NE(read(nested(33)).find("nested deeper"), std::string::npos);
  EXPECT_NE(patch(nested(33)).find("nested deeper"), std::string::npos);
}

TEST_F(RecordJson, KeyAttributesThatAreNoFieldsAreNotShown) {
  item::Item item;
  for (const auto* const name : {"PK", "SK", "a"}) {
    item::append_name(item.encoded, name);
    item::append_scalar(item.encoded, item::Type::string, "x");
  }
  std::string out;
  append_record(out, *contract_, *contract_->find("thing"), item.view());
  EXPECT_EQ(out, R"({"a":"x"})");
}

}  // namespace
}  // namespace waybill::api::jobs
