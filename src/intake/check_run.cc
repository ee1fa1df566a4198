#include "intake/check_run.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "intake/item_requests.h"
#include "intake/page_reader.h"
#include "intake/scan.h"
#include "item/plain_json.h"

namespace waybill::intake {
namespace {

constexpr uint64_t rows_per_walk_max = 8'000'000;  // of which 32 bytes each are kept
constexpr std::size_t suspects_max = 10'000;       // that are looked at a second time

// A row, as far as it is kept.
struct Entry {
  Digest key;
  uint64_t item = 0;  // half of the digest
  bool is_met = false;
};

// Something that did not agree at first sight.
struct Suspect {
  Difference::Kind kind = Difference::Kind::missing;
  item::Item key;  // where there is an item
  bool is_judged = false;
};

class CheckRun {
 public:
  CheckRun(Session& session, Watcher& watcher) : session_(session), watcher_(watcher) {}

  Result<CheckReport> run() {
    WAYBILL_TRY_ASSIGN(total_, session_.count_rows());
    walks_ = total_ / rows_per_walk_max + 1;
    for (walk_ = 0; walk_ < walks_; ++walk_) {
      WAYBILL_TRY(read_source());
      WAYBILL_TRY(compare_target());
      find_missing();
    }
    if (!suspects_.empty()) {
      WAYBILL_TRY(look_again());
    }
    return std::move(report_);
  }

 private:
  Digest key_digest(item::ItemView item) const { return digest_of(key_in(session_.shape(), item).encoded); }
  bool is_of_this_walk(const Digest& key) const { return key.high % walks_ == walk_; }

  // Calls take(row's item or error, row's name) for every row.
  template <typename Take>
  Status walk_source(const std::string& what, Take take) {
    PageReader reader(session_, {});
    uint64_t done = 0;
    for (;;) {
      WAYBILL_TRY_ASSIGN(const auto page, reader.next());
      if (!page) {
        return {};
      }
      for (std::size_t row = 0; row < page->count(); ++row) {
        const auto item = session_.mapper().item_of(session_.values(*page, row));
        WAYBILL_TRY(take(item, [&] { return session_.row_name(session_.key_values(*page, row)); }));
      }
      done += page->count();
      watcher_.advanced(what, done, total_);
      if (session_.stop().load()) {
        return Error{ErrorKind::unavailable, "the check was stopped", {}};
      }
    }
  }

  Status read_source() {
    entries_.clear();
    const int64_t now_s = session_.clock().wall_seconds();
    WAYBILL_TRY(walk_source("checking: rows", [&](const Result<item::Item>& item, const auto& name) {
      if (!item) {
        if (walk_ == 0) {
          report_.add({Difference::Kind::rejected, name(), item.error().message});
        }
        return Status();
      }
      const Digest key = key_digest(item->view());
      if (!is_of_this_walk(key)) {
        return Status();
      }
      if (is_expired(session_.shape(), item->view(), now_s)) {
        ++report_.expired;
        return Status();
      }
      const Digest digest = digest_of(item->view(), session_.mapper().attributes());
      report_.source.add(digest);
      ++report_.rows;
      entries_.push_back({key, digest.low, false});
      return Status();
    }));
    std::ranges::sort(entries_, {}, &Entry::key);
    find_doubled();
    return {};
  }

  // The second of two rows that become one item is left to its first.
  void find_doubled() {
    const auto repeated = std::ranges::unique(entries_, {}, &Entry::key);
    for (const auto& entry : repeated) {
      suspect(entry.key, {Difference::Kind::doubled, {}, false});
    }
    entries_.erase(repeated.begin(), repeated.end());
  }

  void suspect(const Digest& key, Suspect suspect) {
    const std::lock_guard lock(mutex_);
    if (suspects_.size() < suspects_max) {
      suspects_.emplace(key, std::move(suspect));
    } else {
      ++report_.differences;
    }
  }

  // What one thread has seen of the target.
  struct Seen {
    alignas(64) uint64_t items = 0;
    Digest checksum;
  };

  Status compare_target() {
    std::vector<Seen> seen(session_.settings().in_flight);
    WAYBILL_TRY(scan_target(session_, [&](unsigned thread, item::ItemView item) {
      const Digest key = key_digest(item);
      if (!session_.mapper().has_its_key(item) || !is_of_this_walk(key)) {
        return;
      }
      const auto entry = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
      const bool is_known = entry != entries_.end() && entry->key == key;
      if (!is_known && session_.mapping().target.is_shared) {
        return;
      }
      const Digest digest = digest_of(item, session_.mapper().attributes());
      ++seen[thread].items;
      seen[thread].checksum.add(digest);
      if (!is_known) {
        suspect(key, {Difference::Kind::extra, key_in(session_.shape(), item), false});
        return;
      }
      entry->is_met = true;
      if (entry->item != digest.low) {
        suspect(key, {Difference::Kind::different, key_in(session_.shape(), item), false});
      }
    }));
    for (const auto& one : seen) {
      report_.items += one.items;
      report_.target.add(one.checksum);
    }
    return {};
  }

  void find_missing() {
    for (const auto& entry : entries_) {
      if (!entry.is_met) {
        suspect(entry.key, {Difference::Kind::missing, {}, false});
      }
    }
  }

  Status look_again() {
    WAYBILL_TRY_ASSIGN(auto target, TargetReader::open(session_));
    const int64_t now_s = session_.clock().wall_seconds();
    WAYBILL_TRY(walk_source("checking again", [&](const Result<item::Item>& item, const auto& name) {
      if (!item || is_expired(session_.shape(), item->view(), now_s)) {
        return Status();
      }
      const auto found = suspects_.find(key_digest(item->view()));
      return found == suspects_.end() ? Status() : judge(target, found->second, item->view(), name());
    }));
    for (auto& [digest, suspect] : suspects_) {
      if (!suspect.is_judged) {
        WAYBILL_TRY(judge_extra(target, suspect));
      }
    }
    return {};
  }

  // A row whose item was suspicious.
  Status judge(TargetReader& target, Suspect& suspect, item::ItemView wanted, const std::string& name) {
    suspect.is_judged = true;
    if (suspect.kind == Difference::Kind::doubled) {
      report_.add(
          {Difference::Kind::doubled, name, item::to_plain_json(key_in(session_.shape(), wanted).view())});
      return {};
    }
    WAYBILL_TRY_ASSIGN(const auto item, target.get(key_in(session_.shape(), wanted).view()));
    if (!item) {
      report_.add({Difference::Kind::missing, name, {}});
      return {};
    }
    std::string names;
    for (const auto& attribute : session_.mapper().attributes()) {
      const auto is = item->view().find(attribute);
      const auto should_be = wanted.find(attribute);
      if (is.has_value() != should_be.has_value() || (is && !item::equal(*is, *should_be))) {
        names += (names.empty() ? "" : ", ") + attribute;
      }
    }
    if (names.empty()) {
      ++report_.settled;
    } else {
      report_.add({Difference::Kind::different, name, names});
    }
    return {};
  }

  // No row has this item now.
  Status judge_extra(TargetReader& target, Suspect& suspect) {
    suspect.is_judged = true;
    std::optional<item::Item> item;
    if (!suspect.key.encoded.empty()) {
      WAYBILL_TRY_ASSIGN(item, target.get(suspect.key.view()));
    }
    if (!item) {
      ++report_.settled;
    } else {
      report_.add({Difference::Kind::extra, item::to_plain_json(suspect.key.view()), {}});
    }
    return {};
  }

  Session& session_;
  Watcher& watcher_;
  uint64_t total_ = 0;
  uint64_t walks_ = 1;
  uint64_t walk_ = 0;
  CheckReport report_;
  std::vector<Entry> entries_;

  std::mutex mutex_;  // guards what follows while the target is scanned
  std::map<Digest, Suspect> suspects_;
};

}  // namespace

void CheckReport::add(Difference difference) {
  ++differences;
  if (listed.size() < listed_max) {
    listed.push_back(std::move(difference));
  }
}

Result<CheckReport> run_check(Session& session, Watcher& watcher) {
  return CheckRun(session, watcher).run();
}

}  // namespace waybill::intake
