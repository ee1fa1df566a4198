#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "engine/batch.h"
#include "engine/job_queue.h"
#include "engine/queues/book.h"
#include "store/queues.h"

// What is done to queues, one job each. See store/queues.h for the rules.
namespace waybill::engine::queues {

// A job that decides a Result and hands it over.
template <typename Value, typename Done>
class ResultJob : public Job {
 public:
  ResultJob(Book& book, Done done) : book_(book), done_(std::move(done)) {}
  void decide(Batch& batch) final { result_ = work(batch); }
  bool is_about_queues() const final { return true; }
  void finish() final { done_(std::move(result_)); }

 protected:
  virtual Result<Value> work(Batch& batch) = 0;
  Book& book() { return book_; }

 private:
  Book& book_;
  Done done_;
  Result<Value> result_ = Value();
};

using QueueJob = ResultJob<queue::QueuePtr, store::QueueDone>;

class CreateQueueJob final : public QueueJob {
 public:
  CreateQueueJob(Book& book, queue::Queue queue, store::QueueDone done)
      : QueueJob(book, std::move(done)), queue_(std::move(queue)) {}

 private:
  Result<queue::QueuePtr> work(Batch& batch) override;
  queue::Queue queue_;
};

class ChangeQueueJob final : public QueueJob {
 public:
  ChangeQueueJob(Book& book, std::string name, store::QueueChange change, store::QueueDone done)
      : QueueJob(book, std::move(done)), name_(std::move(name)), change_(std::move(change)) {}

 private:
  Result<queue::QueuePtr> work(Batch& batch) override;
  const std::string name_;
  store::QueueChange change_;
};

class RemoveQueueJob final : public QueueJob {
 public:
  RemoveQueueJob(Book& book, std::string name, store::QueueDone done)
      : QueueJob(book, std::move(done)), name_(std::move(name)) {}

 private:
  Result<queue::QueuePtr> work(Batch& batch) override;
  const std::string name_;
};

class PurgeQueueJob final : public QueueJob {
 public:
  PurgeQueueJob(Book& book, std::string name, store::QueueDone done)
      : QueueJob(book, std::move(done)), name_(std::move(name)) {}

 private:
  Result<queue::QueuePtr> work(Batch& batch) override;
  const std::string name_;
};

class SendJob final : public ResultJob<std::vector<store::SentMessage>, store::SendDone> {
 public:
  SendJob(Book& book, std::string queue, std::vector<store::NewMessage> messages, store::SendDone done)
      : ResultJob(book, std::move(done)), queue_(std::move(queue)), messages_(std::move(messages)) {}

 private:
  Result<std::vector<store::SentMessage>> work(Batch& batch) override;
  const std::string queue_;
  std::vector<store::NewMessage> messages_;
};

class ReceiveJob final : public Job {
 public:
  ReceiveJob(Book& book, store::ReceiveRequest request, uint64_t waiter_id, store::ReceiveDone done)
      : book_(book), request_(std::move(request)), waiter_id_(waiter_id), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  bool is_about_queues() const override { return true; }
  bool needs_write() const override { return gives_fresh_ || !request_.is_tentative; }
  bool needs_sync() const override { return gives_fresh_; }
  void finish() override;

 private:
  Result<std::vector<store::Delivery>> take(Batch& batch);

  Book& book_;
  store::ReceiveRequest request_;
  const uint64_t waiter_id_;
  store::ReceiveDone done_;  // gone where the receive waits
  Result<std::vector<store::Delivery>> result_ = std::vector<store::Delivery>();
  bool gives_fresh_ = false;  // a message that this very batch has written
};

class CancelWaitJob final : public Job {
 public:
  CancelWaitJob(Book& book, std::string queue, uint64_t waiter_id)
      : book_(book), queue_(std::move(queue)), waiter_id_(waiter_id) {}
  void decide(Batch& /*batch*/) override { book_.cancel(queue_, waiter_id_); }
  bool is_about_queues() const override { return true; }
  bool needs_sync() const override { return false; }
  void finish() override {}

 private:
  Book& book_;
  const std::string queue_;
  const uint64_t waiter_id_;
};

class SettleJob final : public ResultJob<std::vector<store::Settled>, store::SettleDone> {
 public:
  SettleJob(Book& book, std::string queue, std::vector<store::Settlement> settlements, store::SettleDone done)
      : ResultJob(book, std::move(done)), queue_(std::move(queue)), settlements_(std::move(settlements)) {}

 private:
  Result<std::vector<store::Settled>> work(Batch& batch) override;
  const std::string queue_;
  const std::vector<store::Settlement> settlements_;
};

class QueueStatsJob final : public Job {
 public:
  QueueStatsJob(Book& book, std::string name, store::StatsDone done)
      : book_(book), name_(std::move(name)), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  bool is_about_queues() const override { return true; }
  void finish() override { done_(std::move(stats_)); }

 private:
  Book& book_;
  const std::string name_;
  store::StatsDone done_;
  std::vector<store::QueueStats> stats_;
};

class MoveJob final : public ResultJob<store::Moved, store::MoveDone> {
 public:
  MoveJob(Book& book, store::MoveRequest request, store::MoveDone done)
      : ResultJob(book, std::move(done)), request_(std::move(request)) {}

 private:
  Result<store::Moved> work(Batch& batch) override;
  const store::MoveRequest request_;
};

// Deletes messages whose retention is over; tells how many that were.
class SweepQueueJob final : public Job {
 public:
  SweepQueueJob(Book& book, std::string queue, std::size_t budget, std::promise<std::size_t> done)
      : book_(book), queue_(std::move(queue)), budget_(budget), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  bool is_about_queues() const override { return true; }
  void finish() override { done_.set_value(count_); }

 private:
  Book& book_;
  const std::string queue_;
  const std::size_t budget_;
  std::promise<std::size_t> done_;
  std::size_t count_ = 0;
};

// Does nothing: a batch looks at those who wait in any case.
class LookJob final : public Job {
 public:
  void decide(Batch& /*batch*/) override {}
  bool is_about_queues() const override { return true; }
  bool needs_sync() const override { return false; }
  void finish() override {}
};

}  // namespace waybill::engine::queues
