#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "engine/engine.h"
#include "job/claim.h"
#include "job/contracts.h"
#include "job/create.h"
#include "job/enqueue.h"
#include "job/fail.h"
#include "job/finish.h"
#include "job/get.h"
#include "job/heartbeat.h"
#include "job/step.h"
#include "rules/contracts.h"

namespace waybill::job {

// The embedded store in a directory of its own, with the five contracts in force, and a clock that the test
// moves.
class JobTest : public ::testing::Test {
 protected:
  static constexpr int64_t start_ms = 1'800'000'000'000;

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-job-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    engine::Options options;
    options.data_dir = directory_;
    options.clock = &clock_;
    options.entropy = &entropy_;
    options.housekeeping_interval_ms = 20;
    options.disk_reserve_bytes = 0;
    options.memory_bytes = 64 << 20;
    options.durability = engine::Durability::relaxed;
    auto opened = engine::open(options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    auto contracts = rules::Contracts::open(*store_, {&clock_, &entropy_});
    ASSERT_TRUE(contracts) << contracts.error().message;
    contracts_ = *std::move(contracts);
    for (const auto* const name :
         {"photo-editor", "image-service", "orchestrator", "asset-creator", "text-analyzer"}) {
      const auto applied = contracts_->apply({std::string(name) + ".yaml", text_of_contract(name), {}});
      ASSERT_TRUE(applied) << applied.error().message;
    }
  }

  void TearDown() override {
    contracts_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  Services services() { return {*store_, clock_, entropy_, ulids_}; }

  Subject subject(const std::string& contract, const std::string& record) const {
    Subject made;
    made.contract = contracts_->find(contract);
    made.kind = made.contract->find(record);
    return made;
  }
  Subject job() const { return subject("orchestrator", "job"); }
  Subject photo() const { return subject("photo-editor", "job"); }

  static store::Author author(const std::string& why = "") { return {"tester", "", why}; }
  Target target(const Subject& of, const std::string& id, const std::string& why = "") const {
    return {of, id, author(why)};
  }

  // What `call` hands to its callback.
  template <typename Value, typename Call>
  static Result<Value> answer_of(Call call) {
    auto done = std::make_shared<std::promise<Result<Value>>>();
    auto result = done->get_future();
    call([done](Result<Value> value) { done->set_value(std::move(value)); });
    return result.get();
  }

  Result<Created> try_create(const Subject& of, std::string_view fields,
                             std::optional<std::string> key = {}) {
    return answer_of<Created>([&](auto done) {
      create(services(), {of, author(), item_of(fields), std::move(key)}, std::move(done));
    });
  }
  Created make(const Subject& of, std::string_view fields) {
    auto made = try_create(of, fields);
    EXPECT_TRUE(made) << made.error().message;
    return made ? *std::move(made) : Created();
  }
  // A run of a workflow.
  Created make_job(const std::string& key, const std::string& more = "") {
    return make(job(), job_fields(key, more));
  }
  static std::string job_fields(const std::string& key, const std::string& more = "") {
    return R"({"workspace_id":{"S":"w1"},"user_id":{"S":"u1"},"workflow_id":{"S":"f"},"trigger_type":{"S":"manual"},)"
           R"("idempotency_key":{"S":")" +
           key + "\"}" + more + "}";
  }
  Created make_photo(const std::string& user = "u1") {
    return make(photo(),
                R"({"userId":{"S":")" + user +
                    R"("},"fileSize":{"N":"10"},"fileType":{"S":"image/png"},"provider":{"S":"stub"}})");
  }

  Result<std::vector<Claimed>> try_claim(const Subject& of, uint32_t count = 1,
                                         std::optional<int64_t> lease_ms = {}) {
    return answer_of<std::vector<Claimed>>(
        [&](auto done) { claim(services(), {of, {"worker", "", ""}, count, 0, lease_ms}, std::move(done)); });
  }
  std::vector<Claimed> claim_all(const Subject& of, uint32_t count = 10,
                                 std::optional<int64_t> lease_ms = {}) {
    auto claimed = try_claim(of, count, lease_ms);
    EXPECT_TRUE(claimed) << claimed.error().message;
    return claimed ? *std::move(claimed) : std::vector<Claimed>();
  }
  Claimed claim_one(const Subject& of, std::optional<int64_t> lease_ms = {}) {
    auto claimed = claim_all(of, 1, lease_ms);
    EXPECT_EQ(claimed.size(), 1U);
    return claimed.empty() ? Claimed() : std::move(claimed.front());
  }

  Result<Failed> try_fail(const Subject& of, const Claimed& held, bool retry = true) {
    return answer_of<Failed>([&](auto done) {
      fail(services(), {target(of, held.id), held.lease.token, "BROKEN", "it broke", "at 1", {}, retry},
           std::move(done));
    });
  }
  Result<Changed> try_finish(const Subject& of, const Claimed& held, const std::string& fields = "{}") {
    return answer_of<Changed>([&](auto done) {
      finish(services(), {target(of, held.id), held.lease.token, {item_of(fields), {}}}, std::move(done));
    });
  }
  Result<Changed> try_step(const Subject& of, const Claimed& held, const std::string& step,
                           std::map<std::string, std::string> spend = {}, const std::string& fields = "{}") {
    return answer_of<Changed>([&](auto done) {
      job::step(services(),
                {target(of, held.id), held.lease.token, step, {item_of(fields), {}}, std::move(spend)},
                std::move(done));
    });
  }
  Result<Lease> try_heartbeat(const Subject& of, const Claimed& held, std::optional<int64_t> lease_ms = {}) {
    return answer_of<Lease>([&](auto done) {
      heartbeat(services(), {target(of, held.id), held.lease.token, lease_ms}, std::move(done));
    });
  }

  // A field of a record as it is now; "" where it is not there.
  std::string field(const Subject& of, const std::string& id, const std::string& path) {
    const auto record = get(services(), of, id);
    EXPECT_TRUE(record) << record.error().message;
    return record ? at(*record, path) : std::string();
  }

  store::QueueStats stats(const std::string& queue) {
    std::promise<std::vector<store::QueueStats>> done;
    auto result = done.get_future();
    store_->queues()->stats(queue,
                            [&](std::vector<store::QueueStats> found) { done.set_value(std::move(found)); });
    auto found = result.get();
    return found.empty() ? store::QueueStats() : found.front();
  }
  int64_t messages(const std::string& queue) {
    const auto found = stats(queue);
    return found.visible + found.in_flight + found.delayed;
  }

  ManualClock clock_{start_ms};
  SystemEntropy entropy_;
  UlidMaker ulids_{entropy_};
  std::string directory_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<rules::Contracts> contracts_;
};

}  // namespace waybill::job
