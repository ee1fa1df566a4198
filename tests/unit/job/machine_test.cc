#include "job/machine.h"

#include <gtest/gtest.h>

#include "job/contracts.h"

namespace waybill::job {
namespace {

std::string working_states(const std::string& contract, const std::string& record) {
  const Subject subject = subject_of(contract, record);
  std::string states;
  for (const auto& state : subject.record().status->states) {
    if (is_working(subject.record(), state.name.text)) {
      states += (states.empty() ? "" : " ") + state.name.text;
    }
  }
  return states;
}

TEST(JobMachine, StatesInWhichAWorkerHasTheRecord) {
  EXPECT_EQ(working_states("orchestrator", "job"), "running");
  EXPECT_EQ(working_states("photo-editor", "job"), "PROCESSING EDITING");
  EXPECT_EQ(working_states("asset-creator", "job"), "running");
  EXPECT_EQ(working_states("image-service", "image"), "processing");
  EXPECT_EQ(working_states("text-analyzer", "file"), "IN_PROGRESS");
  EXPECT_EQ(working_states("asset-creator", "step"), "");
}

TEST(JobMachine, WhereThereIsAWayBackFromFailure) {
  EXPECT_TRUE(may_retry(subject_of("orchestrator", "job").record()));
  EXPECT_TRUE(may_retry(subject_of("image-service", "image").record()));
  EXPECT_FALSE(may_retry(subject_of("photo-editor", "job").record()));
  EXPECT_FALSE(may_retry(subject_of("asset-creator", "job").record()));
  EXPECT_FALSE(may_retry(subject_of("text-analyzer", "file").record()));
}

TEST(JobMachine, WaysAreTheShortest) {
  const Subject photo = subject_of("photo-editor", "job");
  using States = std::vector<std::string>;
  EXPECT_EQ(way(*photo.record().status, "PROCESSING", "FAILED"), (States{"EDITING", "FAILED"}));
  EXPECT_EQ(way(*photo.record().status, "EDITING", "FAILED"), (States{"FAILED"}));
  EXPECT_EQ(way(*photo.record().status, "COMPLETED", "FAILED"), States());
  EXPECT_EQ(way(*photo.record().status, "FAILED", "FAILED"), States());
  const Subject job = subject_of("orchestrator", "job");
  EXPECT_EQ(way(*job.record().status, "failed", "dead"), (States{"dead"}));
  EXPECT_EQ(way(*job.record().status, "queued", "dead"), (States{"running", "dead"}));
}

TEST(JobMachine, FirstStateIsBehindTheQueue) {
  EXPECT_EQ(first_state(subject_of("orchestrator", "job").record()), "queued");
  EXPECT_EQ(first_state(subject_of("photo-editor", "job").record()), "QUEUED");
  EXPECT_EQ(first_state(subject_of("text-analyzer", "file").record()), "PENDING");
  EXPECT_EQ(first_state(subject_of("asset-creator", "project").record()), "");
}

}  // namespace
}  // namespace waybill::job
