#include "api/sqs/operations.h"

#include <algorithm>

namespace waybill::api::sqs {
namespace {

constexpr access::Requires something{access::Need::something};
constexpr access::Requires read{access::Need::read};
constexpr access::Requires write{access::Need::write};
constexpr access::Requires admin{access::Need::admin};

// Every operation there is, by name. Sorted: looked up by halves.
constexpr NamedOperation named[] = {
    {"AddPermission", add_permission, admin},
    {"CancelMessageMoveTask", cancel_message_move_task, admin},
    {"ChangeMessageVisibility", change_message_visibility, read},
    {"ChangeMessageVisibilityBatch", change_message_visibility_batch, read},
    {"CreateQueue", create_queue, admin},
    {"DeleteMessage", delete_message, write},
    {"DeleteMessageBatch", delete_message_batch, write},
    {"DeleteQueue", delete_queue, admin},
    {"GetQueueAttributes", get_queue_attributes, something},
    {"GetQueueUrl", get_queue_url, something},
    {"ListDeadLetterSourceQueues", list_dead_letter_source_queues, something},
    {"ListMessageMoveTasks", list_message_move_tasks, something},
    {"ListQueueTags", list_queue_tags, something},
    {"ListQueues", list_queues, something},
    {"PurgeQueue", purge_queue, admin},
    {"ReceiveMessage", receive_message, read},
    {"RemovePermission", remove_permission, admin},
    {"SendMessage", send_message, write},
    {"SendMessageBatch", send_message_batch, write},
    {"SetQueueAttributes", set_queue_attributes, admin},
    {"StartMessageMoveTask", start_message_move_task, admin},
    {"TagQueue", tag_queue, admin},
    {"UntagQueue", untag_queue, admin},
};

static_assert(std::ranges::is_sorted(named, {}, &NamedOperation::name));

}  // namespace

std::span<const NamedOperation> operations() {
  return named;
}

const NamedOperation* find_operation(std::string_view name) {
  const auto* found = std::ranges::lower_bound(named, name, {}, &NamedOperation::name);
  return found != std::end(named) && found->name == name ? found : nullptr;
}

}  // namespace waybill::api::sqs
