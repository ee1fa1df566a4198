#include "engine/queues/queue_jobs.h"

#include "base/log.h"

namespace waybill::engine::queues {
namespace {

constexpr int64_t purge_interval_ms = 60'000;

}  // namespace

Result<queue::QueuePtr> CreateQueueJob::work(Batch& batch) {
  const std::string name = queue_.name;
  queue_.created_ms = queue_.changed_ms = batch.now_ms();
  WAYBILL_TRY(book().create(batch, std::move(queue_)));
  return batch.state().queues.at(name);
}

Result<queue::QueuePtr> ChangeQueueJob::work(Batch& batch) {
  const LiveQueue* const live = book().find(name_);
  if (live == nullptr) {
    return queue_not_found();
  }
  WAYBILL_TRY_ASSIGN(auto changed, change_(live->queue()));
  changed.changed_ms = batch.now_ms();
  book().change(batch, std::move(changed));
  return batch.state().queues.at(name_);
}

Result<queue::QueuePtr> RemoveQueueJob::work(Batch& batch) {
  if (book().find(name_) == nullptr) {
    return queue_not_found();
  }
  auto was = batch.state().queues.at(name_);
  book().remove(batch, name_);
  return was;
}

Result<queue::QueuePtr> PurgeQueueJob::work(Batch& batch) {
  const LiveQueue* const live = book().find(name_);
  if (live == nullptr) {
    return queue_not_found();
  }
  const int64_t since_ms = batch.now_ms() - live->queue().purged_ms;
  if (since_ms >= 0 && since_ms < purge_interval_ms) {
    return Error{ErrorKind::purge_in_progress,
                 "Only one PurgeQueue operation on " + name_ + " is allowed every 60 seconds.",
                 {}};
  }
  book().purge(batch, name_);
  return batch.state().queues.at(name_);
}

Result<std::vector<store::SentMessage>> SendJob::work(Batch& batch) {
  LiveQueue* const live = book().find(queue_);
  if (live == nullptr) {
    return queue_not_found();
  }
  std::vector<store::SentMessage> sent;
  sent.reserve(messages_.size());
  for (auto& message : messages_) {
    WAYBILL_TRY_ASSIGN(auto one, live->send(batch, std::move(message)));
    sent.push_back(std::move(one));
  }
  return sent;
}

Result<std::vector<store::Delivery>> ReceiveJob::take(Batch& batch) {
  LiveQueue* const live = book_.find(request_.queue);
  if (live == nullptr) {
    return queue_not_found();
  }
  return book_.take(batch, *live, {request_.count_max, request_.visibility_ms, request_.is_tentative});
}

void ReceiveJob::decide(Batch& batch) {
  result_ = take(batch);
  gives_fresh_ = result_ && is_fresh(*result_, batch);
  if (result_ && result_->empty() && request_.wait_ms > 0) {
    book_.wait(request_.queue, {waiter_id_, request_.count_max, request_.visibility_ms, request_.is_tentative,
                                request_.wait_ms, batch.now_ms() + request_.wait_ms, std::move(done_)});
  }
}

void ReceiveJob::finish() {
  if (done_) {
    done_(std::move(result_));
  }
}

Result<std::vector<store::Settled>> SettleJob::work(Batch& batch) {
  LiveQueue* const live = book().find(queue_);
  if (live == nullptr) {
    return queue_not_found();
  }
  std::vector<store::Settled> settled;
  settled.reserve(settlements_.size());
  for (const auto& settlement : settlements_) {
    WAYBILL_TRY_ASSIGN(const auto one, live->settle(batch, settlement, LiveQueue::Purpose::settle));
    settled.push_back(one);
  }
  return settled;
}

void QueueStatsJob::decide(Batch& batch) {
  const std::vector<std::string> names = name_.empty() ? book_.names() : std::vector{name_};
  for (const auto& name : names) {
    if (LiveQueue* const live = book_.find(name); live != nullptr) {
      if (auto stats = live->stats(batch)) {
        stats_.push_back(*std::move(stats));
      } else {
        log_error("queue " + name + " could not be counted: " + stats.error().detail);
      }
    }
  }
}

Result<store::Moved> MoveJob::work(Batch& batch) {
  LiveQueue* const live = book().find(request_.from);
  if (live == nullptr) {
    return queue_not_found();
  }
  store::Moved moved;
  const auto find = [this](const std::string& name) { return book().find(name); };
  for (const auto& id : request_.new_ids) {
    auto one = live->move_one(batch, request_.to, id, find);
    if (!one && moved.count == 0) {
      return std::move(one).error();
    }
    if (!one || !*one) {
      break;  // the next call tells what is wrong
    }
    ++moved.count;
  }
  WAYBILL_TRY_ASSIGN(const auto stats, live->stats(batch));
  moved.left = stats.visible;
  return moved;
}

void SweepQueueJob::decide(Batch& batch) {
  LiveQueue* const live = book_.find(queue_);
  if (live == nullptr) {
    return;
  }
  if (const auto swept = live->sweep(batch, budget_)) {
    count_ = *swept;
  } else {
    log_error("queue " + queue_ + " could not be swept: " + swept.error().detail);
  }
}

}  // namespace waybill::engine::queues
