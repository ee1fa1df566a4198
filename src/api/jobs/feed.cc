#include "api/jobs/feed.h"

#include <algorithm>
#include <utility>

#include "api/jobs/journal_json.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::api::jobs {
namespace {

constexpr std::string_view reset_text =
    "event: reset\ndata: {\"detail\":\"Some changes are not told here: look at the records "
    "themselves.\"}\n\n";

// id, event and data of one row; rows have no line breaks, as JSON has none.
std::string event_text(item::ItemView row) {
  std::string text = "id: ";
  text.append(std::to_string(seq_of(row))).append("\nevent: ");
  for (const char c : action_of_row(row)) {
    text.push_back(c == '\n' || c == '\r' ? ' ' : c);
  }
  text.append("\ndata: ");
  append_journal_row(text, row, WithId::yes);
  return text.append("\n\n");
}

// The keys of a record's rows behind a number.
store::Range rows_after(const table::TablePtr& journal, const std::string& path, uint64_t after) {
  std::string value;
  item::append_scalar(value, item::Type::string, path);
  std::string number;
  item::append_scalar(number, item::Type::number, std::to_string(after + 1));
  store::Range range;
  range.table = journal;
  table::append_partition(range.begin, item::ValueView(value.data()));
  range.end = table::after_prefix(range.begin);
  table::append_sort(range.begin, item::ValueView(number.data()));
  return range;
}

template <typename Visit>
class RowVisitor final : public store::Visitor {
 public:
  explicit RowVisitor(Visit visit) : visit_(std::move(visit)) {}
  bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
    return visit_(item);
  }

 private:
  Visit visit_;
};

}  // namespace

Feed::Feed(store::Store& store) : store_(store) {}

Feed::~Feed() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  store_.follow(std::string(rules::journal_table), nullptr);
}

void Feed::start() {
  thread_ = std::thread([this] { run(); });
}

Result<uint64_t> Feed::admit() {
  std::call_once(started_, [this] { start(); });
  const std::lock_guard lock(mutex_);
  if (guests_ >= listeners_max) {
    return Error{ErrorKind::unavailable, "There are too many listeners. Try again later.", {}};
  }
  ++guests_;
  return ++admitted_;
}

void Feed::join(uint64_t number, Interest interest, http::Stream stream) {
  push(Joining{number, Listener{std::move(interest), std::move(stream), 0}});
}

void Feed::leave(uint64_t number) {
  push(Leaving{number});
}

std::size_t Feed::listeners() const {
  const std::lock_guard lock(mutex_);
  return guests_;
}

void Feed::push(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  changed_.notify_one();
}

void Feed::publish(Rows rows) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_rows_ + rows.size() > waiting_rows_max) {
      lost_ = true;
      return;
    }
    waiting_rows_ += rows.size();
    events_.emplace_back(std::move(rows));
  }
  changed_.notify_one();
}

// Follows before the first listener's rows are read, so that he is told all that they do not show. On this
// thread, since the store's own must not wait for the store; without the lock, which publish() takes.
void Feed::run() {
  name_this_thread("feed");
  store_.follow(std::string(rules::journal_table), [this](Rows rows) { publish(std::move(rows)); });
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || lost_ || !events_.empty(); });
    if (stopping_) {
      return;
    }
    auto events = std::exchange(events_, {});
    const bool lost = std::exchange(lost_, false);
    waiting_rows_ = 0;
    lock.unlock();
    for (auto& event : events) {
      std::visit([this](auto& each) { handle(each); }, event);
    }
    if (lost) {
      reset_all();
    }
    lock.lock();
  }
}

void Feed::handle(Joining& joining) {
  if (catch_up(joining.listener)) {
    listeners_.insert_or_assign(joining.number, std::move(joining.listener));
  }
}

// He leaves once, whether his stream was still of use or not.
void Feed::handle(Leaving& leaving) {
  listeners_.erase(leaving.number);
  const std::lock_guard lock(mutex_);
  --guests_;
}

void Feed::handle(Rows& rows) {
  for (const auto& item : rows) {
    const auto row = item.view();
    Told told{seq_of(row), std::string(path_of_row(row)), event_text(row)};
    for (auto at = listeners_.begin(); at != listeners_.end();) {
      at = tell(at->second, told) ? std::next(at) : listeners_.erase(at);
    }
    keep(std::move(told));
  }
}

void Feed::reset_all() {
  kept_.clear();
  kept_bytes_ = 0;
  complete_after_.reset();
  for (auto at = listeners_.begin(); at != listeners_.end();) {
    at = at->second.stream.write(reset_text) ? std::next(at) : listeners_.erase(at);
  }
}

void Feed::keep(Told row) {
  if (!complete_after_) {
    complete_after_ = row.seq;
  }
  kept_bytes_ += row.text.size() + row.path.size() + sizeof(Told);
  kept_.push_back(std::move(row));
  while (kept_bytes_ > kept_bytes_max) {
    const auto& oldest = kept_.front();
    complete_after_ = oldest.seq;
    kept_bytes_ -= oldest.text.size() + oldest.path.size() + sizeof(Told);
    kept_.pop_front();
  }
}

bool Feed::is_for(const Listener& listener, const Told& row) {
  const auto& interest = listener.interest;
  const bool is_his = interest.is_one ? row.path == interest.path : row.path.starts_with(interest.path);
  return is_his && row.seq > listener.told;
}

// False where the stream is of no use any more.
bool Feed::tell(Listener& listener, const Told& row) {
  if (!is_for(listener, row)) {
    return true;
  }
  listener.told = row.seq;
  return listener.stream.write(row.text);
}

// All at once: more than may wait for a client would end its stream, and it would come back for the same.
bool Feed::tell_missed(Listener& listener, const std::string& text) {
  return listener.stream.write(text.size() > missed_bytes_max ? reset_text : std::string_view(text));
}

bool Feed::catch_up(Listener& listener) {
  if (!listener.interest.after) {
    return true;
  }
  listener.told = *listener.interest.after;
  return listener.interest.is_one ? catch_up_from_journal(listener) : catch_up_from_memory(listener);
}

// Rows that are committed meanwhile come again by the way of all rows, and are passed over then.
bool Feed::catch_up_from_journal(Listener& listener) {
  const auto journal = store_.find_table(rules::journal_table);
  if (!journal) {
    return listener.stream.write(reset_text);
  }
  std::string missed;
  RowVisitor visitor([&](item::ItemView row) {
    listener.told = seq_of(row);
    missed += event_text(row);
    return missed.size() <= missed_bytes_max;
  });
  const auto read = store_.read(rows_after(journal, listener.interest.path, listener.told), visitor);
  if (!read) {
    log_error("feed: " + read.error().message);
    return listener.stream.write(reset_text);
  }
  return tell_missed(listener, missed);
}

bool Feed::catch_up_from_memory(Listener& listener) {
  if (!complete_after_ || listener.told < *complete_after_) {
    return listener.stream.write(reset_text);
  }
  std::string missed;
  for (const auto& row : kept_) {
    if (is_for(listener, row) && missed.size() <= missed_bytes_max) {
      missed += row.text;
    }
  }
  listener.told = kept_.empty() ? listener.told : std::max(listener.told, kept_.back().seq);
  return tell_missed(listener, missed);
}

}  // namespace waybill::api::jobs
