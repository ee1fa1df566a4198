#include "store/restricted_queues.h"

#include <algorithm>

namespace waybill::store {
namespace {

using access::Verb;

Verb verb_of(const Settlement& settlement) {
  return settlement.visibility_ms ? Verb::read : Verb::write;
}

// Messages that are given up go to the queue's target: who says so writes there.
Status check_target(const access::Policy& policy, const queue::Queue& queue) {
  const auto& redrive = queue.settings.redrive;
  if (redrive && !policy.may_use_queue(Verb::write, redrive->target)) {
    return access_denied("queue/" + redrive->target);
  }
  return {};
}

}  // namespace

Error access_denied(std::string resource) {
  return Error{ErrorKind::access_denied, {}, std::move(resource)};
}

Status RestrictedQueues::check(Verb verb, std::string_view name) const {
  return policy_->may_use_queue(verb, name) ? Status() : Status(access_denied("queue/" + std::string(name)));
}

Status RestrictedQueues::may_know(std::string_view name) const {
  return policy_->knows_queue(name) ? Status() : Status(access_denied("queue/" + std::string(name)));
}

queue::QueuePtr RestrictedQueues::find(std::string_view name) const {
  return policy_->knows_queue(name) ? queues_.find(name) : nullptr;
}

std::vector<std::string> RestrictedQueues::names(std::string_view prefix, std::string_view after,
                                                 std::size_t limit) const {
  constexpr std::size_t names_at_once = 1000;
  std::vector<std::string> known;
  std::string last(after);
  for (auto names = queues_.names(prefix, last, names_at_once); !names.empty() && known.size() < limit;
       names = queues_.names(prefix, last, names_at_once)) {
    last = names.back();
    for (auto& name : names) {
      if (known.size() < limit && policy_->knows_queue(name)) {
        known.push_back(std::move(name));
      }
    }
  }
  return known;
}

std::vector<queue::QueuePtr> RestrictedQueues::all() const {
  auto queues = queues_.all();
  std::erase_if(queues, [this](const queue::QueuePtr& queue) { return !policy_->knows_queue(queue->name); });
  return queues;
}

void RestrictedQueues::create(queue::Queue queue, QueueDone done) {
  auto allowed = check(Verb::admin, queue.name);
  if (allowed) {
    allowed = check_target(*policy_, queue);
  }
  if (!allowed) {
    done(allowed.error());
    return;
  }
  queues_.create(std::move(queue), std::move(done));
}

void RestrictedQueues::change(std::string name, QueueChange change, QueueDone done) {
  if (const auto allowed = check(Verb::admin, name); !allowed) {
    done(allowed.error());
    return;
  }
  queues_.change(
      std::move(name),
      [policy = policy_,
       change = std::move(change)](const queue::Queue& current) mutable -> Result<queue::Queue> {
        WAYBILL_TRY_ASSIGN(auto wanted, change(current));
        WAYBILL_TRY(check_target(*policy, wanted));
        return wanted;
      },
      std::move(done));
}

void RestrictedQueues::remove(std::string name, QueueDone done) {
  if (const auto allowed = check(Verb::admin, name); !allowed) {
    done(allowed.error());
    return;
  }
  queues_.remove(std::move(name), std::move(done));
}

void RestrictedQueues::purge(std::string name, QueueDone done) {
  if (const auto allowed = check(Verb::admin, name); !allowed) {
    done(allowed.error());
    return;
  }
  queues_.purge(std::move(name), std::move(done));
}

void RestrictedQueues::send(std::string queue, std::vector<NewMessage> messages, SendDone done) {
  if (const auto allowed = check(Verb::write, queue); !allowed) {
    done(allowed.error());
    return;
  }
  queues_.send(std::move(queue), std::move(messages), std::move(done));
}

std::shared_ptr<Wait> RestrictedQueues::receive(ReceiveRequest request, ReceiveDone done) {
  if (const auto allowed = check(Verb::read, request.queue); !allowed) {
    done(allowed.error());
    return nullptr;
  }
  return queues_.receive(std::move(request), std::move(done));
}

// A delivery comes from receive() alone.
// A receipt is only had by whoever was given the message.
Result<std::optional<Peeked>> RestrictedQueues::look(const queue::Receipt& receipt) const {
  return queues_.look(receipt);
}

Result<std::optional<queue::Message>> RestrictedQueues::read(const Delivery& delivery) const {
  return queues_.read(delivery);
}

void RestrictedQueues::settle(std::string queue, std::vector<Settlement> settlements, SettleDone done) {
  for (const auto& settlement : settlements) {
    if (const auto allowed = check(verb_of(settlement), queue); !allowed) {
      done(allowed.error());
      return;
    }
  }
  queues_.settle(std::move(queue), std::move(settlements), std::move(done));
}

Result<std::vector<Peeked>> RestrictedQueues::peek(const PeekRequest& request) const {
  WAYBILL_TRY(check(Verb::read, request.queue));
  return queues_.peek(request);
}

void RestrictedQueues::stats(std::string name, StatsDone done) {
  queues_.stats(std::move(name),
                [policy = policy_, done = std::move(done)](std::vector<QueueStats> stats) mutable {
                  std::erase_if(stats, [&](const QueueStats& one) { return !policy->knows_queue(one.name); });
                  done(std::move(stats));
                });
}

// Where each goes back to the queue that gave it up, that may be any.
void RestrictedQueues::move(MoveRequest request, MoveDone done) {
  const bool may_fill = request.to.empty() ? policy_->may_use_all_queues(Verb::write)
                                           : policy_->may_use_queue(Verb::write, request.to);
  const auto allowed = may_fill ? check(Verb::admin, request.from)
                                : Status(access_denied("queue/" + (request.to.empty() ? "*" : request.to)));
  if (!allowed) {
    done(allowed.error());
    return;
  }
  queues_.move(std::move(request), std::move(done));
}

}  // namespace waybill::store
