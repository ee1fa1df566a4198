#include "job/dead_letters.h"

#include <string>

#include "job/envelope.h"

namespace waybill::job {

namespace {

constexpr std::size_t page_max = 100;

// Messages of a tenant stand together, as their group.
std::string group_of(const Subject& subject, item::ItemView record) {
  const auto& tenant = subject.record().tenant;
  const auto value = tenant ? record.find(tenant->text) : std::nullopt;
  return value && value->type() == item::Type::string ? std::string(value->bytes()) : std::string();
}

}  // namespace

queue::Receipt receipt_of(const queue::Queue& queue, const store::Peeked& peeked) {
  return {queue.space, peeked.sequence, 0, peeked.message.group};
}

Result<std::optional<queue::Receipt>> find_dead_letter(const Services& services, const Subject& subject,
                                                       item::ItemView record) {
  const auto queue = services.store.queues()->find(subject.kind->dead_letters);
  const auto wanted = rules::id_of(*subject.kind, record);
  std::size_t looked_at = 0;
  store::PeekRequest request{subject.kind->dead_letters, group_of(subject, record), "", page_max};
  while (queue != nullptr && looked_at < dead_letters_looked_at_max) {
    WAYBILL_TRY_ASSIGN(const auto page, services.store.queues()->peek(request));
    for (const auto& peeked : page) {
      const auto key = key_of_message(subject, peeked.message.body);
      const bool is_meant = key && rules::id_of(*subject.kind, key->view()) == wanted;
      if (is_meant && peeked.state == store::MessageState::waiting) {
        return std::optional(receipt_of(*queue, peeked));
      }
    }
    if (page.size() < page_max) {
      break;
    }
    looked_at += page.size();
    request.after = page.back().place;
  }
  return std::optional<queue::Receipt>();
}

}  // namespace waybill::job
