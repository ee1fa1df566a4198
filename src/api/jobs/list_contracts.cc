#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

void write_contract(json::Writer& writer, const rules::Deployed& deployed) {
  const auto& contract = deployed.contract;
  writer.begin_object().key("name").string(contract.name).key("version").integer(contract.version);
  writer.key("table").string(deployed.table).key("records").begin_array();
  for (const auto& kind : deployed.kinds) {
    writer.begin_object().key("name").string(kind.record->name).key("id").begin_array();
    for (const auto& field : kind.key_fields) {
      writer.string(field);
    }
    writer.end_array();
    if (!kind.queue.empty()) {
      writer.key("queue").string(kind.queue);
    }
    if (!kind.dead_letters.empty()) {
      writer.key("dead_letters").string(kind.dead_letters);
    }
    writer.end_object();
  }
  writer.end_array().end_object();
}

void run(Call call, const Input& /*input*/) {
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("contracts").begin_array();
  for (const auto& deployed : call.contracts()) {
    write_contract(writer, *deployed);
  }
  writer.end_array().end_object();
  call.answer(std::move(response));
}

}  // namespace

const Operation list_contracts{
    "list_contracts",
    "GET",
    Path::Shape::contracts,
    "",
    run,
    Needs::nothing,
    {"The contracts in force.", "", "", "200",
     R"({"type":"object","required":["contracts"],"properties":{"contracts":{"type":"array","items":)"
     R"({"type":"object","required":["name","version","table","records"],"properties":{)"
     R"("name":{"type":"string"},"version":{"type":"integer"},"table":{"type":"string"},)"
     R"("records":{"type":"array","items":{"type":"object"}}}}}}})"}};

}  // namespace waybill::api::jobs
