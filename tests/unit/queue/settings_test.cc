#include "queue/settings.h"

#include <gtest/gtest.h>

namespace waybill::queue {
namespace {

Queue queue_of(std::string name, Attributes attributes) {
  Queue queue;
  queue.name = std::move(name);
  queue.attributes = std::move(attributes);
  queue.settings = *read_settings(queue.attributes);
  return queue;
}

std::string redrive_to(std::string_view name, std::string_view count) {
  return "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:" + std::string(name) +
         "\",\"maxReceiveCount\":" + std::string(count) + "}";
}

TEST(Settings, HaveTheServicesDefaults) {
  const auto settings = *read_settings({});
  EXPECT_FALSE(settings.is_fifo);
  EXPECT_EQ(settings.visibility_ms, 30'000);
  EXPECT_EQ(settings.retention_ms, 345'600'000);
  EXPECT_EQ(settings.delay_ms, 0);
  EXPECT_EQ(settings.wait_ms, 0);
  EXPECT_EQ(settings.message_bytes_max, 1'048'576U);
  EXPECT_FALSE(settings.redrive);
  EXPECT_FALSE(settings.alarm_depth);
}

TEST(Settings, AreReadFromAttributes) {
  const auto settings = *read_settings({{"FifoQueue", "true"},
                                        {"ContentBasedDeduplication", "true"},
                                        {"DeduplicationScope", "messageGroup"},
                                        {"DelaySeconds", "5"},
                                        {"MaximumMessageSize", "2048"},
                                        {"MessageRetentionPeriod", "60"},
                                        {"ReceiveMessageWaitTimeSeconds", "20"},
                                        {"RedrivePolicy", redrive_to("dead.fifo", "\"7\"")},
                                        {"VisibilityTimeout", "0"},
                                        {"WaybillAlarmAgeSeconds", "9"},
                                        {"WaybillAlarmDepth", "3"}});
  EXPECT_TRUE(settings.is_fifo);
  EXPECT_TRUE(settings.deduplicates_by_content);
  EXPECT_TRUE(settings.deduplicates_by_group);
  EXPECT_EQ(settings.delay_ms, 5'000);
  EXPECT_EQ(settings.message_bytes_max, 2048U);
  EXPECT_EQ(settings.retention_ms, 60'000);
  EXPECT_EQ(settings.wait_ms, 20'000);
  EXPECT_EQ(settings.visibility_ms, 0);
  EXPECT_EQ(settings.redrive->target, "dead.fifo");
  EXPECT_EQ(settings.redrive->receives_max, 7U);
  EXPECT_EQ(settings.alarm_age_ms, 9'000);
  EXPECT_EQ(settings.alarm_depth, 3);
}

TEST(Settings, RefuseWhatAnAttributeCannotBe) {
  for (const char* value : {"-1", "43201", "", "x", "1.0", " 1", "99999999999999999999"}) {
    const auto settings = read_settings({{"VisibilityTimeout", value}});
    ASSERT_FALSE(settings) << value;
    EXPECT_EQ(settings.error().kind, ErrorKind::attribute_invalid);
    EXPECT_EQ(settings.error().message, "Invalid value for the parameter VisibilityTimeout.");
  }
  EXPECT_EQ(read_settings({{"Colour", "red"}}).error().message, "Unknown Attribute Colour.");
  EXPECT_EQ(read_settings({{"ContentBasedDeduplication", "true"}}).error().kind,
            ErrorKind::attribute_unknown);
  EXPECT_EQ(read_settings({{"FifoQueue", "false"}}).error().kind, ErrorKind::attribute_unknown);
}

TEST(Settings, LongDelaysAreForThoseWhoAsk) {
  EXPECT_FALSE(read_settings({{"DelaySeconds", "901"}}));
  EXPECT_EQ(read_settings({{"DelaySeconds", "31536000"}, {"WaybillLongDelays", "true"}})->delay_ms,
            31'536'000'000);
  EXPECT_FALSE(read_settings({{"DelaySeconds", "31536001"}, {"WaybillLongDelays", "true"}}));
  EXPECT_FALSE(read_settings({{"VisibilityTimeout", "43201"}, {"WaybillLongDelays", "false"}}));
}

TEST(Settings, EmptyValuesTakeAway) {
  const auto left = with_changes({{"Policy", "{}"}, {"DelaySeconds", "1"}}, {{"Policy", ""}});
  EXPECT_EQ(left, (Attributes{{"DelaySeconds", "1"}}));
  EXPECT_EQ(with_changes({}, {{"DelaySeconds", ""}}), (Attributes{{"DelaySeconds", ""}}));
}

TEST(Settings, ShowWhatIsUsualOfAQueue) {
  EXPECT_FALSE(shown_attributes(queue_of("a", {})).contains("FifoQueue"));
  const auto shown = shown_attributes(queue_of("a.fifo", {{"FifoQueue", "true"}, {"DelaySeconds", "3"}}));
  EXPECT_EQ(shown.at("DelaySeconds"), "3");
  EXPECT_EQ(shown.at("DeduplicationScope"), "queue");
}

TEST(Settings, KnowArnsOfQueues) {
  EXPECT_EQ(name_in_arn("arn:aws:sqs:eu-west-1:123456789012:q"), "q");
  for (const char* text : {"", "q", "arn:aws:sns:eu-west-1:123456789012:q", "arn:aws:sqs:eu-west-1:q",
                           "arn:aws:sqs:a:b:c:d", "http://host/000000000000/q"}) {
    EXPECT_EQ(name_in_arn(text), "") << text;
  }
}

TEST(Settings, ATargetOfDeadLettersMayRefuse) {
  const auto source = queue_of("source", {{"RedrivePolicy", redrive_to("dead", "5")}});
  const auto by_queue = [](std::string_view name) {
    return queue_of("dead", {{"RedriveAllowPolicy",
                              R"({"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:r:a:)" +
                                  std::string(name) + "\"]}"}});
  };
  const auto open = queue_of("dead", {});
  const auto closed = queue_of("dead", {{"RedriveAllowPolicy", R"({"redrivePermission":"denyAll"})"}});
  const auto ordered = queue_of("dead", {{"FifoQueue", "true"}});
  const auto named = by_queue("source");
  const auto other = by_queue("other");
  EXPECT_TRUE(check_redrive_target(source, &open));
  EXPECT_TRUE(check_redrive_target(source, &named));
  EXPECT_FALSE(check_redrive_target(source, &other));
  EXPECT_FALSE(check_redrive_target(source, &closed));
  EXPECT_FALSE(check_redrive_target(source, &ordered));
  EXPECT_FALSE(check_redrive_target(source, nullptr));
}

}  // namespace
}  // namespace waybill::queue
