#include "api/dynamodb/transaction_fields.h"

#include <gtest/gtest.h>

#include "api/dynamodb/cancellation.h"
#include "api/memory_store.h"

namespace waybill::api::dynamodb {
namespace {

std::string fingerprint(std::string_view text) {
  json::Parser parser;
  Reading reading;
  const std::string body = R"({"TransactItems":[)" + std::string(text) + "]}";
  return fingerprint_of(read_transact_items(Fields(*parser.parse_copy(body), reading)).taken);
}

TEST(FingerprintTest, DoesNotDependOnTheOrderOfMembers) {
  EXPECT_EQ(fingerprint(R"({"Put":{"TableName":"t","Item":{"a":{"S":"x"},"b":{"L":[]}}}})"),
            fingerprint(R"({ "Put":{"Item":{"b":{"L":[]},"a":{"S":"x"}}, "TableName":"t"}})"));
  EXPECT_NE(fingerprint(R"({"Put":{"Item":{"a":{"S":"1"}}}})"),
            fingerprint(R"({"Put":{"Item":{"a":{"S":"2"}}}})"));
  EXPECT_NE(fingerprint(R"({"Put":{"Item":{"a":{"SS":["ab","c"]}}}})"),
            fingerprint(R"({"Put":{"Item":{"a":{"SS":["a","bc"]}}}})"));
  EXPECT_NE(fingerprint(R"({"Put":{"Item":{"a":{"L":[[],[1]]}}}})"),
            fingerprint(R"({"Put":{"Item":{"a":{"L":[[[]],1]}}}})"));
  EXPECT_NE(fingerprint(R"({"Put":{"TableName":"t"}},{"Delete":{"TableName":"u"}})"),
            fingerprint(R"({"Delete":{"TableName":"u"}},{"Put":{"TableName":"t"}})"));
}

TEST(FingerprintTest, PassesOverWhatIsNoParameter) {
  EXPECT_EQ(fingerprint(R"({"Put":{"TableName":"t"}})"),
            fingerprint(R"({"Put":{"TableName":"t","Nonsense":1,"Key":null},"More":{"h":1}})"));
}

TEST(TransactItemsTest, ReadsNoMoreThanItMust) {
  std::string text = R"({"TransactItems":[{})";
  for (int i = 0; i < 500; ++i) {
    text += ",{}";
  }
  json::Parser parser;
  Reading reading;
  const auto items = read_transact_items(Fields(*parser.parse_copy(text + "]}"), reading));
  EXPECT_EQ(items.count, 501U);
  EXPECT_EQ(items.taken.size(), transaction_actions_max + 1);
  Constraints constraints;
  items.check(constraints);
  EXPECT_FALSE(constraints.status());
}

TEST(CancellationTest, TellsTheReasonOfEveryActionInOrder) {
  std::vector<CancellationReason> reasons(3);
  reasons[1].error = Error{ErrorKind::condition_failed, "The conditional request failed", {}};
  reasons[1].item = item_of(R"({"a":{"S":"b"}})");
  reasons[2].error = invalid("bad");
  EXPECT_EQ(
      cancellation_body(reasons),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )"
      R"([None, ConditionalCheckFailed, ValidationError]","CancellationReasons":[{"Code":"None"},)"
      R"({"Code":"ConditionalCheckFailed","Item":{"a":{"S":"b"}},"Message":"The conditional request failed"},)"
      R"({"Code":"ValidationError","Message":"bad"}]})");
}

TEST(CancellationTest, EmptyKeysRefuseTheWholeRequest) {
  EXPECT_TRUE(refuses_request(invalid("One or more parameter values are not valid. The AttributeValue …")));
  EXPECT_FALSE(refuses_request(invalid("The provided key element does not match the schema")));
}

}  // namespace
}  // namespace waybill::api::dynamodb
