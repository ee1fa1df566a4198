#include "api/sqs/operations.h"

#include <algorithm>

namespace waybill::api::sqs {
namespace {

// Every operation there is, by name. Sorted: looked up by halves.
constexpr NamedOperation named[] = {
    {"AddPermission", add_permission},
    {"CancelMessageMoveTask", cancel_message_move_task},
    {"ChangeMessageVisibility", change_message_visibility},
    {"ChangeMessageVisibilityBatch", change_message_visibility_batch},
    {"CreateQueue", create_queue},
    {"DeleteMessage", delete_message},
    {"DeleteMessageBatch", delete_message_batch},
    {"DeleteQueue", delete_queue},
    {"GetQueueAttributes", get_queue_attributes},
    {"GetQueueUrl", get_queue_url},
    {"ListDeadLetterSourceQueues", list_dead_letter_source_queues},
    {"ListMessageMoveTasks", list_message_move_tasks},
    {"ListQueueTags", list_queue_tags},
    {"ListQueues", list_queues},
    {"PurgeQueue", purge_queue},
    {"ReceiveMessage", receive_message},
    {"RemovePermission", remove_permission},
    {"SendMessage", send_message},
    {"SendMessageBatch", send_message_batch},
    {"SetQueueAttributes", set_queue_attributes},
    {"StartMessageMoveTask", start_message_move_task},
    {"TagQueue", tag_queue},
    {"UntagQueue", untag_queue},
};

static_assert(std::ranges::is_sorted(named, {}, &NamedOperation::name));

}  // namespace

const NamedOperation* find_operation(std::string_view name) {
  const auto* found = std::ranges::lower_bound(named, name, {}, &NamedOperation::name);
  return found != std::end(named) && found->name == name ? found : nullptr;
}

}  // namespace waybill::api::sqs
