#include "api/sqs/answer.h"

#include <gtest/gtest.h>

#include "api/sqs/errors.h"
#include "api/sqs/outgoing.h"

namespace waybill::api::sqs {
namespace {

std::string written(Protocol protocol) {
  constexpr ListForm list{"Messages", "Message"};
  Answer answer(protocol);
  answer.begin_list(list);
  for (const char* body : {"a<b", "\"\r"}) {
    answer.begin_element(list).text("Body", body).map(attributes_form, {{"k", "v"}}).end_element(list);
  }
  answer.end_list().integer("Count", -2).boolean("Fault", true).texts({"Urls", "Url"}, {"u", "v"});
  answer.begin_map(message_attributes_form).begin_entry(message_attributes_form, "n");
  answer.bytes("BinaryValue", "ab").end_entry(message_attributes_form).end_map();
  answer.texts({"None", "None"}, {}).map(tags_form, {});
  return std::move(answer).take();
}

TEST(SqsAnswer, IsDescribedOnceAndWrittenInBothForms) {
  EXPECT_EQ(written(Protocol::json),
            R"({"Messages":[{"Body":"a<b","Attributes":{"k":"v"}},{"Body":"\"\r","Attributes":{"k":"v"}}],)"
            R"("Count":-2,"Fault":true,"Urls":["u","v"],"MessageAttributes":{"n":{"BinaryValue":"YWI="}}})");
  EXPECT_EQ(written(Protocol::query),
            "<Message><Body>a&lt;b</Body><Attribute><Name>k</Name><Value>v</Value></Attribute></Message>"
            "<Message><Body>&quot;&#xD;</Body><Attribute><Name>k</Name><Value>v</Value></Attribute></Message>"
            "<Count>-2</Count><Fault>true</Fault><Url>u</Url><Url>v</Url><MessageAttribute><Name>n</Name>"
            "<Value><BinaryValue>YWI=</BinaryValue></Value></MessageAttribute>");
  EXPECT_EQ(Answer(Protocol::json).take(), "{}");
  EXPECT_EQ(Answer(Protocol::query).take(), "");
}

TEST(SqsErrors, HaveBothNames) {
  const Error missing{ErrorKind::queue_not_found, "for the operator", {}};
  EXPECT_EQ(
      json_error_body(missing),
      R"({"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."})");
  EXPECT_EQ(query_error(ErrorKind::queue_not_found), "AWS.SimpleQueueService.NonExistentQueue;Sender");
  EXPECT_EQ(query_error(ErrorKind::unavailable), "ServiceUnavailable;Receiver");
  EXPECT_NE(xml_error_body(missing, "id").find("<RequestId>id</RequestId>"), std::string::npos);
}

TEST(SqsErrors, OfOurOwnSayNothingOfTheInside) {
  const Error broken{ErrorKind::corruption, "path /secret", "detail"};
  EXPECT_EQ(error_form(broken.kind).status, 500);
  EXPECT_EQ(json_error_body(broken).find("secret"), std::string::npos);
  EXPECT_EQ(xml_error_body(broken, "id").find("secret"), std::string::npos);
}

TEST(SqsSequence, HasTwentyDigits) {
  EXPECT_EQ(sequence_text(0), "10000000000000000000");
  EXPECT_EQ(sequence_text(42), "10000000000000000042");
  EXPECT_LT(sequence_text(9), sequence_text(10));
}

}  // namespace
}  // namespace waybill::api::sqs
