#include "intake/writers.h"

#include <utility>

#include "base/json.h"

namespace waybill::intake {
namespace {

std::string body_of(const std::string& table, const std::vector<Write>& writes) {
  std::string body = R"({"RequestItems":{)";
  json::append_string(body, table);
  body += ":[";
  for (const auto& write : writes) {
    body += body.ends_with('[') ? "" : ",";
    body += write.request;
  }
  return body + "]}}";
}

// Whether the server has left some of them for later.
bool has_leftovers(const std::string& answer) {
  json::Parser parser;
  const auto object = parser.parse_copy(answer);
  const auto left = object && object->is_object() ? object->find("UnprocessedItems") : std::nullopt;
  return left && left->is_object() && left->size() > 0;
}

}  // namespace

Writers::Writers(std::string table, const Patience& patience, OnDone on_done)
    : table_(std::move(table)), patience_(patience), on_done_(std::move(on_done)) {}

Result<std::unique_ptr<Writers>> Writers::start(const Options& options, const Clock& clock,
                                                const Patience& patience, OnDone on_done) {
  std::unique_ptr<Writers> made(new Writers(options.table, patience, std::move(on_done)));
  made->waiting_max_ = std::size_t{options.in_flight} * 2;
  for (unsigned i = 0; i < options.in_flight; ++i) {
    WAYBILL_TRY_ASSIGN(auto client, ServerClient::open(options.endpoint, clock));
    made->threads_.emplace_back([writers = made.get(), client = std::shared_ptr<ServerClient>(
                                                           std::move(client))] { writers->work(*client); });
  }
  return made;
}

Writers::~Writers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (auto& thread : threads_) {
    thread.join();
  }
}

Status Writers::submit(std::vector<Write> writes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || waiting_.size() < waiting_max_; });
  if (failure_) {
    return *failure_;
  }
  waiting_.push_back({submitted_++, std::move(writes)});
  lock.unlock();
  changed_.notify_all();
  return {};
}

Status Writers::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || told_ == submitted_; });
  return failure_ ? Status(*failure_) : Status();
}

std::optional<Writers::Batch> Writers::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ending_ || failure_ || !waiting_.empty(); });
  if (ending_ || failure_) {
    return {};
  }
  Batch batch = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return batch;
}

void Writers::settle(uint64_t number, Result<std::vector<Rejection>> outcome) {
  {
    const std::lock_guard lock(mutex_);
    if (!outcome) {
      failure_ = failure_ ? failure_ : std::optional(std::move(outcome).error());
    } else {
      done_.emplace(number, *std::move(outcome));
    }
    for (auto first = done_.begin(); first != done_.end() && first->first == told_; first = done_.begin()) {
      on_done_(told_, std::move(first->second));
      done_.erase(first);
      ++told_;
    }
  }
  changed_.notify_all();
}

void Writers::work(ServerClient& client) {
  while (const auto batch = next()) {
    settle(batch->number, write(client, batch->writes));
  }
}

// A write that was done already does no harm a second time.
Status Writers::send(ServerClient& client, const std::vector<Write>& writes) const {
  const std::string body = body_of(table_, writes);
  return patience_.keep_trying([&]() -> Status {
    WAYBILL_TRY_ASSIGN(const auto answer, client.call("BatchWriteItem", body));
    if (has_leftovers(answer)) {
      return Error{ErrorKind::unavailable, "the server leaves writes for later: it is throttled", {}};
    }
    return {};
  });
}

Result<std::vector<Rejection>> Writers::write(ServerClient& client, const std::vector<Write>& writes) const {
  std::vector<Rejection> rejected;
  if (writes.empty()) {
    return rejected;
  }
  const auto sent = send(client, writes);
  if (sent || sent.error().kind != ErrorKind::invalid) {
    return sent ? Result<std::vector<Rejection>>(std::move(rejected)) : sent.error();
  }
  if (writes.size() == 1) {
    rejected.push_back({writes.front().row, sent.error().message, writes.front().digest});
    return rejected;
  }
  for (const auto& one : writes) {
    WAYBILL_TRY_ASSIGN(auto refused, write(client, {one}));
    rejected.insert(rejected.end(), refused.begin(), refused.end());
  }
  return rejected;
}

}  // namespace waybill::intake
