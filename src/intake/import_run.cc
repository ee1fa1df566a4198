#include "intake/import_run.h"

#include <deque>
#include <mutex>
#include <set>
#include <utility>

#include "intake/item_requests.h"
#include "intake/page_reader.h"

namespace waybill::intake {
namespace {

constexpr int64_t save_every_ms = 200;

// What has come of the rows of one batch once its writes are done.
struct BatchNote {
  std::vector<std::string> last_key;
  uint64_t rows = 0;
  uint64_t expired = 0;
  uint64_t writes = 0;
  Digest digest;  // of all of its items
  std::vector<Rejection> rejected;
};

class ImportRun {
 public:
  ImportRun(Session& session, Progress progress, std::string path, Watcher& watcher)
      : session_(session), watcher_(watcher), path_(std::move(path)), progress_(std::move(progress)) {}

  Result<Progress> run() {
    WAYBILL_TRY_ASSIGN(total_, session_.count_rows());
    const Writers::Options options{session_.settings().endpoint, session_.shape().table,
                                   session_.settings().in_flight};
    WAYBILL_TRY_ASSIGN(writers_, Writers::start(options, session_.clock(), session_.patience(),
                                                [this](uint64_t, const std::vector<Rejection>& rejected) {
                                                  settle(rejected);
                                                }));
    begun_ms_ = session_.clock().steady_ms();
    WAYBILL_TRY_ASSIGN(const bool at_end, read_all());
    WAYBILL_TRY(submit());
    WAYBILL_TRY(writers_->drain());
    const std::lock_guard lock(mutex_);
    if (failure_) {
      return *failure_;
    }
    progress_.is_complete = at_end;
    WAYBILL_TRY(save_progress(path_, progress_));
    return progress_;
  }

 private:
  // Whether the end was reached.
  Result<bool> read_all() {
    PageReader reader(session_, progress_.last_key);
    while (!session_.stop().load()) {
      WAYBILL_TRY_ASSIGN(const auto page, reader.next());
      if (!page) {
        return true;
      }
      for (std::size_t row = 0; row < page->count(); ++row) {
        WAYBILL_TRY(take(*page, row));
      }
      read_ += page->count();
      keep_to_rate();
    }
    return false;
  }

  Status take(const Rows& page, std::size_t row) {
    const auto values = session_.values(page, row);
    auto key = session_.key_values(page, row);
    auto made = session_.mapper().item_of(values);
    if (made && !is_expired(session_.shape(), made->view(), session_.clock().wall_seconds())) {
      WAYBILL_TRY(add(made->view(), key));
    } else if (made) {
      ++note_.expired;
    } else {
      note_.rejected.push_back({session_.row_name(key), made.error().message, {}});
    }
    ++note_.rows;
    note_.last_key = std::move(key);
    return {};
  }

  // A batch may name an item once: a second row that becomes the same one waits for the next.
  Status add(item::ItemView item, const std::vector<std::string>& key) {
    std::string request = put_request(item);
    const Digest place = digest_of(key_in(session_.shape(), item).encoded);
    if (writes_.size() == writes_per_batch_max || bytes_ + request.size() > batch_bytes_max ||
        places_.contains(place)) {
      WAYBILL_TRY(submit());
    }
    const Digest digest = digest_of(item, session_.mapper().attributes());
    places_.insert(place);
    bytes_ += request.size();
    note_.digest.add(digest);
    writes_.push_back({std::move(request), session_.row_name(key), digest});
    return {};
  }

  Status submit() {
    if (note_.rows == 0) {
      return {};
    }
    note_.writes = writes_.size();
    {
      const std::lock_guard lock(mutex_);
      notes_.push_back(std::exchange(note_, {}));
    }
    places_.clear();
    bytes_ = 0;
    return writers_->submit(std::exchange(writes_, {}));
  }

  // All writes up to those of the first note are done.
  void settle(const std::vector<Rejection>& refused) {
    const std::lock_guard lock(mutex_);
    BatchNote note = std::move(notes_.front());
    notes_.pop_front();
    for (const auto& rejection : refused) {
      note.digest.subtract(rejection.digest);
      note.rejected.push_back(rejection);
    }
    progress_.last_key = std::move(note.last_key);
    progress_.rows += note.rows;
    progress_.written += note.writes - refused.size();
    progress_.rejected += note.rejected.size();
    progress_.expired += note.expired;
    progress_.checksum.add(note.digest);
    for (const auto& rejection : note.rejected) {
      watcher_.rejected(rejection);
    }
    watcher_.advanced("importing", progress_.rows, total_);
    const int64_t now_ms = session_.clock().steady_ms();
    if (now_ms - saved_ms_ >= save_every_ms) {
      saved_ms_ = now_ms;
      if (auto saved = save_progress(path_, progress_); !saved && !failure_) {
        failure_ = std::move(saved).error();
      }
    }
  }

  void keep_to_rate() {
    const uint64_t rate = session_.settings().rows_per_second;
    if (rate > 0) {
      const auto due_ms = static_cast<int64_t>(read_ * 1000 / rate);
      session_.patience().wait_ms(due_ms - (session_.clock().steady_ms() - begun_ms_));
    }
  }

  Session& session_;
  Watcher& watcher_;
  const std::string path_;
  uint64_t total_ = 0;
  uint64_t read_ = 0;
  int64_t begun_ms_ = 0;

  // The batch in the making.
  std::vector<Write> writes_;
  std::set<Digest> places_;
  std::size_t bytes_ = 0;
  BatchNote note_;

  std::mutex mutex_;  // guards what follows
  std::deque<BatchNote> notes_;
  Progress progress_;
  int64_t saved_ms_ = 0;
  std::optional<Error> failure_;

  std::unique_ptr<Writers> writers_;  // its threads end before all else
};

}  // namespace

Result<Progress> run_import(Session& session, Progress progress, const std::string& path, Watcher& watcher) {
  return ImportRun(session, std::move(progress), path, watcher).run();
}

}  // namespace waybill::intake
