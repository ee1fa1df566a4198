// What queues acknowledge survives a power cut, although receives are told before they are synced: a message
// whose send was acknowledged and whose delete was not asked for is there, one whose delete was acknowledged
// is not, and the counts fit what can be received.
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "engine/power_cut.h"
#include "engine/queue_fixture.h"

namespace waybill::engine {
namespace {

// What became of messages, by their bodies.
struct Ledger {
  std::mutex mutex;
  std::set<std::string> sent;     // acknowledged
  std::set<std::string> doomed;   // their delete was asked for
  std::set<std::string> deleted;  // and acknowledged
  std::atomic<int> steps{0};
};

class QueuePowerCutTest : public QueueTest {
 protected:
  // Several at once, so that batches hold all kinds of jobs.
  void work(Ledger& ledger, int worker, const std::atomic<bool>& stop) {
    for (int i = 0; !stop; ++i) {
      const std::string body = std::to_string(worker) + "-" + std::to_string(i);
      send("q", body, i % 3 == 0 ? "group" : "");
      note(ledger, ledger.sent, body);
      for (const auto& delivery : receive("q", 1 + i % 2)) {
        const std::string received = body_of(delivery);
        if (i % 4 == 0) {
          continue;
        }
        note(ledger, ledger.doomed, received);
        if (settle("q", delivery) == store::Settled::done) {
          note(ledger, ledger.deleted, received);
        }
      }
    }
  }

  static void note(Ledger& ledger, std::set<std::string>& bodies, const std::string& body) {
    const std::lock_guard lock(ledger.mutex);
    bodies.insert(body);
    ++ledger.steps;
  }

  // What is wrong after a power cut amid the work, a line each.
  std::vector<std::string> faults_after_cut(Durability durability, uint64_t seed) {
    std::mt19937_64 random(seed);
    store_.reset();
    const std::string before = directory_ + "/before" + std::to_string(seed);
    const std::string after = directory_ + "/after" + std::to_string(seed);
    const auto file_system = std::make_shared<PowerCutFileSystem>();
    const auto env = rocksdb::NewCompositeEnv(file_system);
    auto made = options();
    made.data_dir = before;
    made.env = env.get();
    made.durability = durability;
    store_ = *engine::open(made);
    EXPECT_TRUE(make("q"));
    Ledger ledger;
    std::atomic<bool> stop{false};
    std::vector<std::thread> workers;
    for (int worker = 0; worker < 4; ++worker) {
      workers.emplace_back([&, worker] { work(ledger, worker, stop); });
    }
    while (ledger.steps < 20 + static_cast<int>(random() % 300)) {
      std::this_thread::yield();
    }
    std::set<std::string> sent;
    std::set<std::string> deleted;
    {
      const std::lock_guard lock(ledger.mutex);
      sent = ledger.sent;
      deleted = ledger.deleted;
    }
    cut_power(*file_system, before, after, random);
    stop = true;
    for (auto& worker : workers) {
      worker.join();
    }
    store_.reset();
    made.data_dir = after;
    made.env = nullptr;
    auto opened = engine::open(made);
    if (!opened) {
      return {opened.error().message};
    }
    store_ = *std::move(opened);
    if (store_->queues()->find("q") == nullptr) {
      return {"the queue is lost"};
    }
    return faults(sent, ledger.doomed, deleted);
  }

  std::vector<std::string> faults(const std::set<std::string>& sent, const std::set<std::string>& doomed,
                                  const std::set<std::string>& deleted) {
    clock_.advance_ms(60'000);
    const auto counted = stats("q");
    std::vector<std::string> faults;
    std::set<std::string> there;
    for (Given given = receive("q", 10); !given.empty(); given = receive("q", 10)) {
      for (const auto& body : bodies_of(given)) {
        if (!there.insert(body).second) {
          faults.push_back(body + " was given out twice");
        }
      }
    }
    if (static_cast<std::size_t>(counted.visible) != there.size()) {
      faults.push_back(std::to_string(counted.visible) + " were counted, not " +
                       std::to_string(there.size()));
    }
    for (const auto& body : sent) {
      if (!there.contains(body) && !doomed.contains(body)) {
        faults.push_back(body + " is lost");
      }
    }
    for (const auto& body : deleted) {
      if (there.contains(body)) {
        faults.push_back(body + " is back");
      }
    }
    return faults;
  }
};

TEST_F(QueuePowerCutTest, NothingAcknowledgedIsLostOrComesBack) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (uint64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(faults_after_cut(Durability::sync, seed + i), std::vector<std::string>())
        << "seed " << seed + i;
  }
}

TEST_F(QueuePowerCutTest, TheTestNoticesWhenSyncsAreLeftOut) {
  bool is_noticed = false;
  for (uint64_t i = 0; i < 100 && !is_noticed; ++i) {
    is_noticed = !faults_after_cut(Durability::relaxed, 100 + i).empty();
  }
  EXPECT_TRUE(is_noticed);
}

using Listing = std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>>;

// Files come and go under our hands: one that is gone meanwhile makes the listing unlike the next.
Listing list_files(const std::string& directory) {
  Listing files;
  std::error_code gone;
  for (const auto& file : fs::recursive_directory_iterator(directory, gone)) {
    files[file.path()] = {file.is_regular_file(gone) ? file.file_size(gone) : 0, file.last_write_time(gone)};
  }
  return files;
}

// Copies the files of an open store at a moment at which it does nothing to them. Right after its start it
// still tidies up.
bool copy_at_rest(const std::string& from, const std::string& to) {
  constexpr int tries_max = 500;
  for (int i = 0; i < tries_max; ++i) {
    const Listing before = list_files(from);
    std::error_code failed;
    fs::copy(from, to, fs::copy_options::recursive, failed);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!failed && list_files(from) == before) {
      return true;
    }
    fs::remove_all(to);
  }
  return false;
}

// Two power cuts in a row, each taking back a receive that was told: no number is told twice.
TEST_F(QueuePowerCutTest, TokensRiseAcrossPowerCutsOneAfterTheOther) {
  ASSERT_TRUE(make("q"));
  send("q", "m");
  std::string from = directory_;
  uint64_t last = 0;
  for (int cut = 0; cut < 4; ++cut) {
    const std::string left = directory_ + "-" + std::to_string(cut);
    ASSERT_TRUE(copy_at_rest(from, left));
    const auto given = receive("q");
    ASSERT_EQ(given.size(), 1U);
    EXPECT_GT(given.front().receipt.token, last) << "after " << cut << " power cuts";
    last = given.front().receipt.token;
    store_.reset();
    auto made = options();
    made.data_dir = left;
    store_ = *engine::open(made);
    from = left;
  }
  store_.reset();
  for (int cut = 0; cut < 4; ++cut) {
    fs::remove_all(directory_ + "-" + std::to_string(cut));
  }
}

}  // namespace
}  // namespace waybill::engine
