#pragma once

#include "api/sqs/call.h"

// The operations of SQS, one file each.
namespace waybill::api::sqs {

// By name; they live as long as the process.
std::span<const NamedOperation> operations();

// Null where there is none of that name. It lives as long as the process.
const NamedOperation* find_operation(std::string_view name);

void add_permission(Call call, const json::Value& body);
void cancel_message_move_task(Call call, const json::Value& body);
void change_message_visibility(Call call, const json::Value& body);
void change_message_visibility_batch(Call call, const json::Value& body);
void create_queue(Call call, const json::Value& body);
void delete_message(Call call, const json::Value& body);
void delete_message_batch(Call call, const json::Value& body);
void delete_queue(Call call, const json::Value& body);
void get_queue_attributes(Call call, const json::Value& body);
void get_queue_url(Call call, const json::Value& body);
void list_dead_letter_source_queues(Call call, const json::Value& body);
void list_message_move_tasks(Call call, const json::Value& body);
void list_queue_tags(Call call, const json::Value& body);
void list_queues(Call call, const json::Value& body);
void purge_queue(Call call, const json::Value& body);
void receive_message(Call call, const json::Value& body);
void remove_permission(Call call, const json::Value& body);
void send_message(Call call, const json::Value& body);
void send_message_batch(Call call, const json::Value& body);
void set_queue_attributes(Call call, const json::Value& body);
void start_message_move_task(Call call, const json::Value& body);
void tag_queue(Call call, const json::Value& body);
void untag_queue(Call call, const json::Value& body);

}  // namespace waybill::api::sqs
