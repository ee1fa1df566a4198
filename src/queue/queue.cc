#include "queue/queue.h"

#include "base/json.h"
#include "queue/settings.h"

namespace waybill::queue {
namespace {

void append_map(json::Writer& writer, std::string_view key, const std::map<std::string, std::string>& map) {
  writer.key(key).begin_object();
  for (const auto& [name, value] : map) {
    writer.key(name).string(value);
  }
  writer.end_object();
}

Error damaged(std::string_view name) {
  return Error{ErrorKind::corruption, "the description of queue " + std::string(name) + " is damaged", {}};
}

Result<std::map<std::string, std::string>> read_map(std::string_view queue, const json::Value& body,
                                                    std::string_view key) {
  const auto found = body.find(key);
  if (!found || !found->is_object()) {
    return damaged(queue);
  }
  std::map<std::string, std::string> map;
  for (json::Members members(*found); members.next();) {
    if (!members.value().is_string()) {
      return damaged(queue);
    }
    map.emplace(members.key(), members.value().string());
  }
  return map;
}

Result<int64_t> read_integer(std::string_view queue, const json::Value& body, std::string_view key) {
  const auto found = body.find(key);
  if (!found || found->type() != json::Type::number || !found->integer()) {
    return damaged(queue);
  }
  return *found->integer();
}

}  // namespace

std::string serialize(const Queue& queue) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  writer.key("space").integer(queue.space);
  writer.key("created_ms").integer(queue.created_ms);
  writer.key("changed_ms").integer(queue.changed_ms);
  writer.key("purged_ms").integer(queue.purged_ms);
  append_map(writer, "attributes", queue.attributes);
  append_map(writer, "tags", queue.tags);
  writer.end_object();
  return out;
}

Result<Queue> deserialize_queue(std::string_view name, std::string_view text) {
  json::Parser parser;
  const auto body = parser.parse_copy(text);
  if (!body || !body->is_object()) {
    return damaged(name);
  }
  Queue queue;
  queue.name = name;
  WAYBILL_TRY_ASSIGN(const int64_t space, read_integer(name, *body, "space"));
  queue.space = static_cast<SpaceId>(space);
  WAYBILL_TRY_ASSIGN(queue.created_ms, read_integer(name, *body, "created_ms"));
  WAYBILL_TRY_ASSIGN(queue.changed_ms, read_integer(name, *body, "changed_ms"));
  WAYBILL_TRY_ASSIGN(queue.purged_ms, read_integer(name, *body, "purged_ms"));
  WAYBILL_TRY_ASSIGN(queue.attributes, read_map(name, *body, "attributes"));
  WAYBILL_TRY_ASSIGN(queue.tags, read_map(name, *body, "tags"));
  WAYBILL_TRY_ASSIGN(queue.settings, read_settings(queue.attributes));
  return queue;
}

}  // namespace waybill::queue
