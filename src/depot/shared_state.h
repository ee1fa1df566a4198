#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "base/ulid.h"
#include "depot/bucket_client.h"
#include "object/content_id.h"

namespace waybill::depot {

// Memory that several may take of until it is used up.
//
// Thread safety: every method may be called from any thread.
class Budget {
 public:
  explicit Budget(int64_t bytes) : left_(bytes) {}

  // Whether there was so much left.
  bool take(std::size_t bytes) {
    const auto wanted = static_cast<int64_t>(bytes);
    if (left_.fetch_sub(wanted) >= wanted) {
      return true;
    }
    left_.fetch_add(wanted);
    return false;
  }
  void give_back(std::size_t bytes) { left_.fetch_add(static_cast<int64_t>(bytes)); }

 private:
  std::atomic<int64_t> left_;
};

// What the contents of a place have in common. Kept by all of them, so that they may outlive the place.
//
// Thread safety: every method may be called from any thread.
class SharedState {
 public:
  static constexpr int64_t gathered_bytes_max = int64_t{512} << 20;  // of all uploads, before they are sent
  static constexpr int64_t ahead_bytes_max = int64_t{64}
                                             << 20;  // of all downloads, before they are asked for

  SharedState(client::Connection connection, Location location, const Patience& patience, const Clock& clock,
              Entropy& entropy)
      : bucket(std::move(connection), std::move(location), patience), clock_(clock), ids_(entropy) {}

  BucketClient bucket;
  Budget gathered{gathered_bytes_max};
  Budget ahead{ahead_bytes_max};
  std::atomic<bool> can_copy{true};  // until the server turns out not to

  // A new id. One that is begun is young until it has ended, however long that takes.
  object::ContentId make_id();
  object::ContentId begin_id();
  void published(const object::ContentId& id);
  void ended(const object::ContentId& id);

  // When a content was published: by its id, unless that was made long before.
  int64_t published_ms(const object::ContentId& id) const;
  void forget_published(int64_t older_than_ms);
  bool is_being_made(const object::ContentId& id) const;

  // Contents that are open are not removed: that would end reads under way.
  void opened(const object::ContentId& id);
  void closed(const object::ContentId& id);
  // Whether it may be removed now; else it is noted, and given by wait_removable() once nobody reads it.
  bool may_remove(const object::ContentId& id);
  // Waits until there are some, or it is to stop: then there may be none.
  std::vector<object::ContentId> wait_removable(const std::stop_token& stop);

 private:
  const Clock& clock_;
  UlidMaker ids_;

  mutable std::mutex mutex_;  // guards what follows
  std::set<object::ContentId> being_made_;
  std::map<object::ContentId, int64_t> published_ms_;  // of those whose ids are older
  std::map<object::ContentId, int> open_;
  std::set<object::ContentId> to_remove_;     // once they are not open
  std::vector<object::ContentId> removable_;  // they are not any more
  std::condition_variable_any has_removable_;
};

}  // namespace waybill::depot
