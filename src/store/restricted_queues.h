#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/policy.h"
#include "store/queues.h"

namespace waybill::store {

// Error access_denied about "table/NAME" or "queue/NAME", without a message: who knows the request fills it.
Error access_denied(std::string resource);

// Queues as the holder of a key with a policy sees them: those that no grant names are not there. To receive
// and to look is to read, to send and to delete is to write, all else is to administer.
//
// Thread safety: see Queues. The object may go as soon as a method that takes a callback has called it.
class RestrictedQueues final : public Queues {
 public:
  // `queues` outlives it.
  RestrictedQueues(Queues& queues, access::PolicyPtr policy) : queues_(queues), policy_(std::move(policy)) {}

  Status may_know(std::string_view name) const override;
  queue::QueuePtr find(std::string_view name) const override;
  std::vector<std::string> names(std::string_view prefix, std::string_view after,
                                 std::size_t limit) const override;
  std::vector<queue::QueuePtr> all() const override;
  void create(queue::Queue queue, QueueDone done) override;
  void change(std::string name, QueueChange change, QueueDone done) override;
  void remove(std::string name, QueueDone done) override;
  void purge(std::string name, QueueDone done) override;
  void send(std::string queue, std::vector<NewMessage> messages, SendDone done) override;
  std::shared_ptr<Wait> receive(ReceiveRequest request, ReceiveDone done) override;
  Result<std::optional<queue::Message>> read(const Delivery& delivery) const override;
  Result<std::optional<Peeked>> look(const queue::Receipt& receipt) const override;
  void settle(std::string queue, std::vector<Settlement> settlements, SettleDone done) override;
  Result<std::vector<Peeked>> peek(const PeekRequest& request) const override;
  void stats(std::string name, StatsDone done) override;
  void move(MoveRequest request, MoveDone done) override;

  // Error access_denied where the policy does not allow it.
  Status check(access::Verb verb, std::string_view name) const;

 private:
  Queues& queues_;
  const access::PolicyPtr policy_;
};

}  // namespace waybill::store
