// Rows of the journal as CloudEvents.
#include "event/event.h"

#include <gtest/gtest.h>

#include "engine/fixture.h"

namespace waybill::event {
namespace {

Result<Event> event_of(std::string_view row) {
  return read_event(engine::item_of(row).view());
}

TEST(Event, IsACloudEvent) {
  const auto event = event_of(
      R"({"record":{"S":"orchestrator/job/W1,a%2Fb"},"seq":{"N":"123456789012"},"at":{"N":"1731742800123"},)"
      R"("event":{"S":"workflow_run_completed"},"data":{"M":{"success":{"BOOL":true},)"
      R"("credits":{"N":"12345678901234567890.5"},"note":{"S":"a \"b\""},"tags":{"SS":["x","y"]},)"
      R"("sizes":{"NS":["1","2.5"]},"none":{"NULL":true},"raw":{"B":"AQI="},"raws":{"BS":["AQI="]},)"
      R"("list":{"L":[{"N":"-1"},{"M":{}}]}}}})");
  ASSERT_TRUE(event);
  EXPECT_EQ(cloud_event(*event),
            R"({"specversion":"1.0","id":"123456789012","source":"/v1/orchestrator/job",)"
            R"("type":"workflow_run_completed","subject":"W1,a%2Fb","time":"2024-11-16T07:40:00.123Z",)"
            R"("datacontenttype":"application/json","data":{"success":true,"credits":12345678901234567890.5,)"
            R"("note":"a \"b\"","tags":["x","y"],"sizes":[1,2.5],"none":null,"raw":"AQI=","raws":["AQI="],)"
            R"("list":[-1,{}]}})");
}

TEST(Event, MayHaveNoData) {
  const auto event = event_of(R"({"record":{"S":"a/b/c"},"seq":{"N":"1"},"at":{"N":"0"},"event":{"S":"t"}})");
  ASSERT_TRUE(event);
  EXPECT_EQ(cloud_event(*event),
            R"({"specversion":"1.0","id":"1","source":"/v1/a/b","type":"t","subject":"c",)"
            R"("time":"1970-01-01T00:00:00.000Z"})");
}

TEST(Event, HasATypeAndARecord) {
  EXPECT_FALSE(event_of(R"({"record":{"S":"a/b/c"},"seq":{"N":"1"},"at":{"N":"0"}})"));
  EXPECT_FALSE(event_of(R"({"record":{"S":"c"},"seq":{"N":"1"},"at":{"N":"0"},"event":{"S":"t"}})"));
  EXPECT_FALSE(event_of(R"({"record":{"S":"a/b/"},"seq":{"N":"1"},"at":{"N":"0"},"event":{"S":"t"}})"));
}

}  // namespace
}  // namespace waybill::event
