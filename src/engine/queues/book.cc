#include "engine/queues/book.h"

#include <algorithm>
#include <utility>

namespace waybill::engine::queues {

Error queue_not_found() {
  return Error{ErrorKind::queue_not_found, "The specified queue does not exist.", {}};
}

bool is_fresh(const std::vector<store::Delivery>& given, const Batch& batch) {
  return std::ranges::any_of(
      given, [&](const store::Delivery& one) { return batch.is_of_this(one.receipt.sequence); });
}

Status Book::load(const Catalog::Queues& queues, int64_t now_ms) {
  for (const auto& [name, queue] : queues) {
    Seat& seat = seats_[name];
    seat.queue = std::make_unique<LiveQueue>(database_, room_, queue);
    WAYBILL_TRY(seat.queue->load(now_ms));
  }
  return {};
}

void Book::touch(Seat& seat) {
  if (!std::exchange(seat.touched, true)) {
    touched_.push_back(&seat);
  }
}

LiveQueue* Book::find(const std::string& name) {
  const auto found = seats_.find(name);
  if (found == seats_.end()) {
    return nullptr;
  }
  touch(found->second);
  return found->second.queue.get();
}

std::vector<std::string> Book::names() const {
  std::vector<std::string> names;
  names.reserve(seats_.size());
  for (const auto& [name, seat] : seats_) {
    names.push_back(name);
  }
  return names;
}

Status Book::create(Batch& batch, queue::Queue queue) {
  if (seats_.contains(queue.name)) {
    return Error{ErrorKind::queue_exists, "A queue already exists with the same name.", {}};
  }
  queue.space = batch.new_space();
  const auto made = std::make_shared<const queue::Queue>(std::move(queue));
  batch.put_queue(made);
  seats_[made->name].queue = std::make_unique<LiveQueue>(database_, room_, made);
  return {};
}

void Book::change(Batch& batch, queue::Queue queue) {
  const auto made = std::make_shared<const queue::Queue>(std::move(queue));
  batch.put_queue(made);
  find(made->name)->change(made);
}

void Book::remove(Batch& batch, const std::string& name) {
  Seat& seat = seats_.find(name)->second;
  while (!seat.waiters.empty()) {
    answer(seat, seat.waiters.begin()->first, queue_not_found());
  }
  unschedule(seat);
  std::erase(touched_, &seat);
  seat.queue->drop(batch);
  batch.remove_queue(seat.queue->queue());
  seats_.erase(name);
}

// Those who wait go on waiting.
void Book::purge(Batch& batch, const std::string& name) {
  Seat& seat = seats_.find(name)->second;
  seat.queue->drop(batch);
  queue::Queue queue = seat.queue->queue();
  queue.space = batch.new_space();
  queue.purged_ms = batch.now_ms();
  const auto made = std::make_shared<const queue::Queue>(std::move(queue));
  batch.put_queue(made);
  auto fresh = std::make_unique<LiveQueue>(database_, room_, made);
  fresh->take_totals(*seat.queue);
  seat.queue = std::move(fresh);
  touch(seat);
}

Result<std::vector<store::Delivery>> Book::take(Batch& batch, LiveQueue& queue, const Wanted& wanted) {
  const auto& settings = queue.queue().settings;
  const auto target = settings.redrive ? seats_.find(settings.redrive->target) : seats_.end();
  LiveQueue* const dead_letters = target == seats_.end() ? nullptr : target->second.queue.get();
  std::vector<store::Delivery> given;
  WAYBILL_TRY(queue.take(batch,
                         {wanted.count_max, wanted.visibility_ms.value_or(settings.visibility_ms),
                          wanted.is_tentative, dead_letters},
                         given));
  if (dead_letters != nullptr && dead_letters->has_changed()) {
    touch(target->second);
  }
  return given;
}

void Book::wait(const std::string& name, Waiter waiter) {
  Seat& seat = seats_.find(name)->second;
  touch(seat);
  seat.deadlines.emplace(waiter.deadline_ms, waiter.id);
  const uint64_t id = waiter.id;
  seat.waiters.emplace(id, std::move(waiter));
}

void Book::cancel(const std::string& name, uint64_t waiter_id) {
  const auto found = seats_.find(name);
  if (found == seats_.end() || !found->second.waiters.contains(waiter_id)) {
    return;
  }
  touch(found->second);
  answer(found->second, waiter_id, std::vector<store::Delivery>());
}

void Book::answer(Seat& seat, uint64_t waiter_id, Result<std::vector<store::Delivery>> result,
                  bool is_fresh) {
  auto taken = seat.waiters.extract(waiter_id);
  seat.deadlines.erase({taken.mapped().deadline_ms, waiter_id});
  served_.push_back(
      {std::move(taken.mapped().done), std::move(result), taken.mapped().is_tentative, is_fresh});
}

// Serving one queue may touch another: the one that its dead letters go to.
void Book::serve(Batch& batch) {
  for (auto at = schedule_.begin(); at != schedule_.end() && at->first <= batch.now_ms(); ++at) {
    touch(*at->second);
  }
  while (!touched_.empty()) {
    Seat& seat = *touched_.back();
    touched_.pop_back();
    seat.touched = false;
    serve_seat(batch, seat);
    schedule(seat);
    written_.push_back(&seat);
  }
}

void Book::serve_seat(Batch& batch, Seat& seat) {
  while (!seat.waiters.empty()) {
    const Waiter& waiter = seat.waiters.begin()->second;
    auto given = take(batch, *seat.queue, {waiter.count_max, waiter.visibility_ms, waiter.is_tentative});
    if (!given || !given->empty()) {
      const bool fresh = given && is_fresh(*given, batch);
      answer(seat, waiter.id, std::move(given), fresh);
    } else {
      break;
    }
  }
  answer_late(seat, batch.now_ms());
}

// Also those whose deadline is further away than they were to wait: the clock was set back.
void Book::answer_late(Seat& seat, int64_t now_ms) {
  while (!seat.deadlines.empty()) {
    const auto [deadline_ms, id] = *seat.deadlines.begin();
    if (deadline_ms > now_ms && deadline_ms - now_ms <= seat.waiters.at(id).wait_ms) {
      break;
    }
    answer(seat, id, std::vector<store::Delivery>());
  }
}

void Book::unschedule(Seat& seat) {
  schedule_.erase({seat.scheduled_ms, &seat});
  seat.scheduled_ms = InFlight::never;
}

// Without anybody who waits there is nothing to do: whoever comes next sees how late it is.
void Book::schedule(Seat& seat) {
  int64_t next_ms = InFlight::never;
  if (!seat.waiters.empty()) {
    next_ms = std::min(seat.deadlines.begin()->first, seat.queue->next_ms());
  }
  if (next_ms == seat.scheduled_ms) {
    return;
  }
  unschedule(seat);
  if (next_ms != InFlight::never) {
    seat.scheduled_ms = next_ms;
    schedule_.emplace(next_ms, &seat);
  }
}

void Book::seal(Batch& batch) {
  for (Seat* seat : written_) {
    seat->queue->seal(batch);
  }
}

template <typename Is>
void Book::finish_those(Is is_one) {
  for (auto& one : served_) {
    if (is_one(one)) {
      one.done(std::move(one.result));
    }
  }
  std::erase_if(served_, is_one);
}

void Book::finish_tentative() {
  finish_those([](const Served& one) { return one.is_tentative && !one.is_fresh; });
}

void Book::finish_without_sync() {
  finish_those([](const Served& one) { return !one.is_fresh; });
}

void Book::finish() {
  written_.clear();
  for (auto& one : served_) {
    one.done(std::move(one.result));
  }
  served_.clear();
}

}  // namespace waybill::engine::queues
