#include "queue/draft.h"

#include <gtest/gtest.h>

#include "queue/settings.h"

namespace waybill::queue {
namespace {

Queue queue_with(Attributes attributes) {
  Queue queue;
  queue.attributes = std::move(attributes);
  queue.settings = *read_settings(queue.attributes);
  return queue;
}

Draft draft_of(std::string_view body) {
  Draft draft;
  draft.body = body;
  return draft;
}

TEST(Draft, CharactersAreThoseOfXml) {
  using namespace std::string_view_literals;
  for (const auto text : {""sv, "\t\n\r"sv, " ~\x7f"sv, "\xed\x9f\xbf\xee\x80\x80"sv, "\xef\xbf\xbd"sv,
                          "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"sv, "\xef\xbe\xbf\xef\xbc\xbe"sv}) {
    EXPECT_TRUE(has_only_message_characters(text));
  }
  for (const auto text :
       {"\0"sv, "a\x01"sv, "\x08"sv, "\x0b\x0c"sv, "\x1f"sv, "\xef\xbf\xbe"sv, "ab\xef\xbf\xbf"sv}) {
    EXPECT_FALSE(has_only_message_characters(text));
  }
  // Cut short by somebody who did not check the UTF-8 before.
  EXPECT_TRUE(has_only_message_characters("\xef\xbf"sv));
}

TEST(Draft, SizeCountsAttributes) {
  auto draft = draft_of("12345");
  draft.attributes.push_back({"name", "String", "value"});
  EXPECT_EQ(size_bytes(draft), 5U + 4 + 6 + 5);
}

TEST(Draft, OfAStandardQueue) {
  const auto queue = queue_with({});
  EXPECT_TRUE(check(queue, draft_of("x")));
  EXPECT_EQ(check(queue, draft_of("")).error().kind, ErrorKind::parameter_missing);
  EXPECT_EQ(check(queue, draft_of("\x01")).error().kind, ErrorKind::message_invalid);
  auto late = draft_of("x");
  late.delay_seconds = 900;
  EXPECT_TRUE(check(queue, late));
  late.delay_seconds = 901;
  EXPECT_EQ(check(queue, late).error().message,
            "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.");
  auto grouped = draft_of("x");
  grouped.group = "g";
  EXPECT_TRUE(check(queue, grouped));
  grouped.deduplication_id = "d";
  EXPECT_FALSE(check(queue, grouped));
}

TEST(Draft, OfAFifoQueue) {
  const auto by_id = queue_with({{"FifoQueue", "true"}});
  const auto by_content = queue_with({{"FifoQueue", "true"}, {"ContentBasedDeduplication", "true"}});
  auto draft = draft_of("x");
  EXPECT_EQ(check(by_content, draft).error().kind, ErrorKind::parameter_missing);
  draft.group = "g";
  EXPECT_TRUE(check(by_content, draft));
  EXPECT_FALSE(check(by_id, draft));
  draft.deduplication_id = "d";
  EXPECT_TRUE(check(by_id, draft));
  draft.delay_seconds = 0;
  EXPECT_TRUE(check(by_id, draft));
  draft.delay_seconds = 1;
  EXPECT_FALSE(check(by_id, draft));
}

TEST(Draft, AttributesOfOneNameAreRefused) {
  auto draft = draft_of("x");
  draft.attributes = {{"a", "String", "1"}, {"a", "String", "2"}};
  EXPECT_EQ(check(queue_with({}), draft).error().message,
            "Message (user) attribute name 'a' already exists.");
}

}  // namespace
}  // namespace waybill::queue
