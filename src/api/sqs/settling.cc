#include "api/sqs/settling.h"

#include <algorithm>
#include <utility>

#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

// Several messages.
struct SettlementBatch {
  struct Entry {
    std::string id;
    std::string handle;
  };
  queue::QueuePtr queue;
  std::vector<store::Settlement> settlements;
  std::vector<Entry> entries;  // of those settlements
  std::vector<BatchFailure> failures;
};

Error invalid_receipt() {
  return Error{ErrorKind::receipt_invalid, "The input receipt handle is invalid.", {}};
}

// A purge gives a queue another space. Receipts of before are not another queue's: their messages are gone.
store::Settled without_purged(const store::Queues& queues, store::Settled settled, std::string_view handle) {
  const auto receipt = settled == store::Settled::foreign ? queue::decode_receipt(handle) : std::nullopt;
  if (!receipt) {
    return settled;
  }
  const bool is_of_a_queue = std::ranges::any_of(
      queues.all(), [&receipt](const queue::QueuePtr& queue) { return queue->space == receipt->space; });
  return is_of_a_queue ? settled : store::Settled::gone;
}

Answer render(const Call& call, SettlementBatch& batch, const std::vector<store::Settled>& settled,
              const ListForm& form, Outcome outcome) {
  std::vector<std::string_view> successful;
  for (std::size_t i = 0; i < batch.entries.size(); ++i) {
    const auto& entry = batch.entries[i];
    const auto became = without_purged(call.queues(), settled[i], entry.handle);
    if (const auto status = outcome(*batch.queue, became, entry.handle); !status) {
      batch.failures.push_back({entry.id, status.error()});
    } else {
      successful.emplace_back(entry.id);
    }
  }
  auto answer = call.begin_answer();
  if (!successful.empty()) {
    answer.begin_list(form);
    for (const auto id : successful) {
      answer.begin_element(form).text("Id", id).end_element(form);
    }
    answer.end_list();
  }
  write_failures(answer, batch.failures);
  return answer;
}

void add_entry(SettlementBatch& batch, const Fields& entry, ReadSettlement read) {
  auto settlement = read(*batch.queue, entry);
  if (!settlement) {
    batch.failures.push_back({id_of(entry), std::move(settlement).error()});
    return;
  }
  batch.entries.push_back({id_of(entry), std::string(entry.string("ReceiptHandle").value_or(""))});
  batch.settlements.push_back(*std::move(settlement));
}

Result<SettlementBatch> parse(const Call& call, const json::Value& body, std::string_view entries_name,
                              ReadSettlement read) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  WAYBILL_TRY(reading.status());
  SettlementBatch batch;
  WAYBILL_TRY_ASSIGN(batch.queue, find_queue(call, url));
  WAYBILL_TRY_ASSIGN(const auto entries, read_batch(fields, entries_name));
  for (const auto& entry : entries) {
    add_entry(batch, entry, read);
  }
  WAYBILL_TRY(reading.status());
  return batch;
}

}  // namespace

Result<queue::Receipt> read_receipt(const std::optional<std::string_view>& handle) {
  WAYBILL_TRY_ASSIGN(const auto text, required(handle, "ReceiptHandle"));
  auto receipt = queue::decode_receipt(text);
  if (!receipt) {
    return invalid_receipt();
  }
  return *std::move(receipt);
}

Result<int64_t> read_visibility(const queue::Queue& queue, const std::optional<int64_t>& seconds) {
  if (!seconds) {
    return missing_parameter("VisibilityTimeout");
  }
  const int64_t most =
      queue.settings.allows_long_delays ? queue::long_delay_seconds_max : queue::visibility_seconds_max;
  WAYBILL_TRY(
      check_bounds("VisibilityTimeout", seconds, {0, most},
                   "VisibilityTimeout must be an integer between 0 and " + std::to_string(most) + "."));
  return *seconds * 1000;
}

Status deletion_outcome(const queue::Queue& queue, store::Settled settled, std::string_view handle) {
  if (settled == store::Settled::foreign) {
    return invalid_receipt();
  }
  if (settled == store::Settled::not_in_flight && queue.settings.is_fifo) {
    return queue::invalid_value(handle, "ReceiptHandle", "The receipt handle has expired.");
  }
  return {};  // whoever deletes wants it to be gone, and may ask twice
}

Status change_outcome(const queue::Queue&, store::Settled settled, std::string_view handle) {
  switch (settled) {
    case store::Settled::done:
      return {};
    case store::Settled::foreign:
      return invalid_receipt();
    case store::Settled::not_in_flight:
      return Error{ErrorKind::message_not_in_flight, "The message referred to isn't in flight.", {}};
    case store::Settled::gone:
    case store::Settled::superseded:
      break;
  }
  return queue::invalid_value(handle, "ReceiptHandle",
                              "Message does not exist or is not available for visibility timeout change.");
}

void settle_one(Call call, SettlementRequest request, Outcome outcome) {
  auto& queues = call.queues();
  std::vector<store::Settlement> settlements;
  settlements.push_back(std::move(request.settlement));
  queues.settle(request.queue->name, std::move(settlements),
                answer_with<std::vector<store::Settled>>(
                    std::move(call), [queue = request.queue, handle = std::move(request.handle), outcome](
                                         Call back, const std::vector<store::Settled>& settled) {
                      const auto became = without_purged(back.queues(), settled.front(), handle);
                      if (const auto status = outcome(*queue, became, handle); !status) {
                        back.fail(status.error());
                        return;
                      }
                      back.answer_empty();
                    }));
}

void settle_batch(Call call, const json::Value& body, const BatchForm& form, ReadSettlement read,
                  Outcome outcome) {
  auto batch = parse(call, body, form.entries, read);
  if (!batch) {
    call.fail(batch.error());
    return;
  }
  if (batch->settlements.empty()) {
    auto answer = render(call, *batch, {}, form.results, outcome);
    call.answer(std::move(answer));
    return;
  }
  auto& queues = call.queues();
  auto name = batch->queue->name;
  auto settlements = std::move(batch->settlements);
  queues.settle(std::move(name), std::move(settlements),
                answer_with<std::vector<store::Settled>>(
                    std::move(call), [batch = *std::move(batch), results = form.results, outcome](
                                         Call back, const std::vector<store::Settled>& settled) mutable {
                      auto answer = render(back, batch, settled, results, outcome);
                      back.answer(std::move(answer));
                    }));
}

}  // namespace waybill::api::sqs
