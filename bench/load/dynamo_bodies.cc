#include "load/dynamo_bodies.h"

#include "load/job_json.h"

namespace waybill::load {
namespace {

// Document 000 of the jobs table: two indexes, both of whole items.
constexpr std::string_view table_definition =
    R"(,"BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"jobId","AttributeType":"S"},)"
    R"({"AttributeName":"userId","AttributeType":"S"},{"AttributeName":"status","AttributeType":"S"},)"
    R"({"AttributeName":"createdAt","AttributeType":"N"}],)"
    R"("KeySchema":[{"AttributeName":"jobId","KeyType":"HASH"}],"GlobalSecondaryIndexes":[)"
    R"({"IndexName":"userId-createdAt-index","Projection":{"ProjectionType":"ALL"},)"
    R"("KeySchema":[{"AttributeName":"userId","KeyType":"HASH"},)"
    R"({"AttributeName":"createdAt","KeyType":"RANGE"}]},)"
    R"({"IndexName":"status-createdAt-index","Projection":{"ProjectionType":"ALL"},)"
    R"("KeySchema":[{"AttributeName":"status","KeyType":"HASH"},)"
    R"({"AttributeName":"createdAt","KeyType":"RANGE"}]}]})";

constexpr std::string_view update_expressions =
    R"("}},"UpdateExpression":"SET #status = :newStatus, updatedAt = :now",)"
    R"("ConditionExpression":"#status = :expectedStatus",)"
    R"("ExpressionAttributeNames":{"#status":"status"},)"
    R"("ExpressionAttributeValues":{":newStatus":{"S":")";

constexpr std::string_view query_expressions =
    R"(,"IndexName":"userId-createdAt-index","KeyConditionExpression":"userId = :userId",)"
    R"("ScanIndexForward":false,"Limit":20,"ExpressionAttributeValues":{":userId":{"S":")";

void add_job(OutBuffer& out, const Population& population, const ItemRef& item, int64_t now_ms) {
  Job job;
  make_job(population, item.id, job);
  add_item_json(out, job, item.status, now_ms != 0 ? now_ms : first_updated_at_ms(job));
}

}  // namespace

DynamoBodies::DynamoBodies(std::string_view table, const Population& population) : population_(population) {
  table_ = R"({"TableName":")" + std::string(table) + '"';
  by_key_ = table_ + R"(,"Key":{"jobId":{"S":")";
  with_item_ = table_ + R"(,"Item":)";
  batch_ = R"({"RequestItems":{")" + std::string(table) + R"(":)";
  transaction_ = R"({"Put":)" + with_item_;
}

std::string DynamoBodies::create_table() const {
  return table_ + std::string(table_definition);
}

std::string DynamoBodies::table_name() const {
  return table_ + "}";
}

void DynamoBodies::add(OutBuffer& out, const Request& request) const {
  switch (request.operation) {
    case Operation::get:
    case Operation::raw:
    case Operation::remove:
      out.add(by_key_).add(job_id_of(request.items[0].id).view()).add(R"("}}})");
      return;
    case Operation::put:
    case Operation::put_new:
      return add_put(out, request);
    case Operation::update:
      return add_update(out, request);
    case Operation::query:
      return add_query(out, request);
    case Operation::transact_write:
      return add_transaction(out, request);
    case Operation::load:
    case Operation::batch_write:
      return add_batch_write(out, request);
    case Operation::batch_get:
      return add_batch_get(out, request);
    case Operation::scan:
      return add_scan(out, request);
    default:
      return;
  }
}

void DynamoBodies::add_put(OutBuffer& out, const Request& request) const {
  out.add(with_item_);
  add_job(out, population_, request.items[0], request.now_ms);
  out.add('}');
}

void DynamoBodies::add_update(OutBuffer& out, const Request& request) const {
  const auto& item = request.items[0];
  out.add(by_key_).add(job_id_of(item.id).view()).add(update_expressions).add(name_of(item.status));
  out.add(R"("},":expectedStatus":{"S":")").add(name_of(request.expected_status));
  out.add(R"("},":now":{"N":")").add_number(request.now_ms).add(R"("}}})");
}

void DynamoBodies::add_query(OutBuffer& out, const Request& request) const {
  out.add(table_).add(query_expressions).add(user_id_of(request.user).view()).add(R"("}}})");
}

void DynamoBodies::add_transaction(OutBuffer& out, const Request& request) const {
  out.add(R"({"TransactItems":[)");
  for (uint32_t i = 0; i < request.count; ++i) {
    out.add(i == 0 ? "" : ",").add(transaction_);
    add_job(out, population_, request.items[i], request.now_ms);
    out.add("}}");
  }
  out.add("]}");
}

void DynamoBodies::add_batch_write(OutBuffer& out, const Request& request) const {
  const bool in_sequence = request.operation == Operation::load;
  out.add(batch_);
  for (uint32_t i = 0; i < request.count; ++i) {
    out.add(i == 0 ? R"([{"PutRequest":{"Item":)" : R"(,{"PutRequest":{"Item":)");
    const auto next_id = request.items[0].id + i;
    add_job(out, population_, in_sequence ? ItemRef{next_id, first_status(next_id)} : request.items[i],
            request.now_ms);
    out.add("}}");
  }
  out.add("]}}");
}

void DynamoBodies::add_batch_get(OutBuffer& out, const Request& request) const {
  out.add(batch_);
  for (uint32_t i = 0; i < request.count; ++i) {
    out.add(i == 0 ? R"({"Keys":[{"jobId":{"S":")" : R"(,{"jobId":{"S":")");
    out.add(job_id_of(request.items[i].id).view()).add(R"("}})");
  }
  out.add("]}}}");
}

void DynamoBodies::add_scan(OutBuffer& out, const Request& request) const {
  out.add(table_).add(R"(,"Limit":)").add_number(scan_items);
  if (request.after) {
    out.add(R"(,"ExclusiveStartKey":{"jobId":{"S":")").add(request.after->view()).add(R"("}})");
  }
  out.add('}');
}

std::string_view dynamo_name(Operation operation) {
  switch (operation) {
    case Operation::create:
      return "CreateTable";
    case Operation::load:
    case Operation::batch_write:
      return "BatchWriteItem";
    case Operation::put:
    case Operation::put_new:
      return "PutItem";
    case Operation::update:
      return "UpdateItem";
    case Operation::remove:
      return "DeleteItem";
    case Operation::query:
      return "Query";
    case Operation::transact_write:
      return "TransactWriteItems";
    case Operation::batch_get:
      return "BatchGetItem";
    case Operation::scan:
      return "Scan";
    default:
      return "GetItem";
  }
}

}  // namespace waybill::load
