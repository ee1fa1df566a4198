#include "alarm/record.h"

#include <gtest/gtest.h>

namespace waybill::alarm {
namespace {

TEST(AlarmRecord, IsReadAsItWasWritten) {
  Record record;
  record.subject = {"a/queue.fifo", Kind::age};
  record.raised = true;
  record.threshold = 60'000;
  record.untold = {{"1", {record.subject, true, 61'000, 60'000}, 5'000},
                   {"2", {record.subject, false, 0, 60'000}, 6'000}};
  EXPECT_EQ(note_of(record).name, "alarm/age/a/queue.fifo");
  const auto read = read_record(note_of(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->subject, record.subject);
  EXPECT_TRUE(read->raised);
  EXPECT_EQ(read->threshold, 60'000);
  ASSERT_EQ(read->untold.size(), 2u);
  EXPECT_EQ(read->untold[0].id, "1");
  EXPECT_TRUE(read->untold[0].change.raised);
  EXPECT_EQ(read->untold[0].change.value, 61'000);
  EXPECT_EQ(read->untold[0].time_ms, 5'000);
  EXPECT_EQ(read->untold[1].id, "2");
  EXPECT_FALSE(read->untold[1].change.raised);
  EXPECT_EQ(read->untold[1].change.subject, record.subject);
}

TEST(AlarmRecord, RefusesWhatIsNone) {
  EXPECT_FALSE(read_record({"alarm/depth/q", "", {}}));
  EXPECT_FALSE(read_record({"alarm/depth/q", "[]", {}}));
  EXPECT_FALSE(read_record({"alarm/width/q", "{}", {}}));
}

TEST(Notice, IsWordedForMachines) {
  const Notice depth{"17-ab", {{"jobs", Kind::depth}, true, 12, 10}, 1'731'742'800'123};
  EXPECT_EQ(body_of(depth, "127.0.0.1:8000"),
            R"({"id":"17-ab","alarm":"depth","state":"raised","queue":"jobs","value":12,"threshold":10,)"
            R"("time":"2024-11-16T07:40:00.123Z","server":"127.0.0.1:8000"})");
  const Notice age{"18-cd", {{"jobs", Kind::age}, false, 1'250, 60'000}, 0};
  EXPECT_EQ(body_of(age, "s"),
            R"({"id":"18-cd","alarm":"age","state":"cleared","queue":"jobs","value":1.25,"threshold":60.0,)"
            R"("time":"1970-01-01T00:00:00.000Z","server":"s"})");
}

}  // namespace
}  // namespace waybill::alarm
