#include "worker/assets/order.h"

#include "worker/json_text.h"
#include "worker/trouble.h"

namespace waybill::worker::assets {
namespace {

constexpr std::string_view job_prefix = "job_";
constexpr std::string_view asset_prefix = "ast_";

std::string text_of(const json::Value& record, std::string_view field) {
  const auto found = record.find(field);
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

// The same for every attempt at the job.
std::string own_asset(std::string_view job_id) {
  const auto bare = job_id.starts_with(job_prefix) ? job_id.substr(job_prefix.size()) : job_id;
  return std::string(asset_prefix) + std::string(bare);
}

void read_review(const json::Value& record, Order& order) {
  const auto review = record.find("review");
  if (!review || !review->is_array()) {
    return;
  }
  for (json::Elements each(*review); each.next();) {
    if (each.value().is_string()) {
      order.review.emplace(each.value().string());
    }
  }
}

void read_parameters(const json::Value& record, Order& order) {
  const auto parameters = record.find("parameters");
  if (!parameters || !parameters->is_object()) {
    return;
  }
  for (json::Members each(*parameters); each.next();) {
    append_json(order.parameters[std::string(each.key())], each.value());
  }
}

}  // namespace

Result<Order> read_order(const json::Value& record) {
  Order order;
  order.project_id = text_of(record, "project_id");
  order.job_id = text_of(record, "job_id");
  order.asset_type = text_of(record, "asset_type");
  order.asset_id = text_of(record, "asset_id");
  order.prompt = text_of(record, "prompt");
  const auto seed = record.find("seed");
  order.seed = seed && seed->type() == json::Type::number ? seed->integer().value_or(0) : 0;
  const auto stage = asset::stage_of(text_of(record, "current_step"));
  if (order.project_id.empty() || order.job_id.empty() || !stage) {
    return final_trouble("ORDER_INCOMPLETE", "the record lacks project_id, job_id or current_step");
  }
  if (order.prompt.empty()) {
    return final_trouble("ORDER_INCOMPLETE", "the record says nothing of what to make: set prompt");
  }
  order.stage = *stage;
  if (order.asset_id.empty()) {
    order.asset_id = own_asset(order.job_id);
  }
  read_review(record, order);
  read_parameters(record, order);
  return order;
}

}  // namespace waybill::worker::assets
