#include "api/jobs/operations.h"
#include "job/machine.h"

namespace waybill::api::jobs {
namespace {

// With its parameters filled in. Fields stay as they are written: they are for whoever has a record.
std::string text_with_parameters(const contract::Contract& contract, const contract::TextTemplate& text) {
  std::string filled;
  for (const auto& part : text.parts()) {
    const auto parameter = part.is_field ? rules::parameter(contract, part.text) : std::nullopt;
    filled += part.is_field ? parameter.value_or("{" + part.text + "}") : part.text;
  }
  return filled;
}

void write_work(json::Writer& writer, const contract::Contract& contract, const contract::Record& record) {
  if (!record.trace.empty()) {
    writer.key("trace").begin_array();
    for (const auto& field : record.trace) {
      writer.string(field.text);
    }
    writer.end_array();
  }
  if (!record.work) {
    return;
  }
  writer.key("retries").boolean(job::may_retry(record));
  if (!record.work->built_in) {
    return;
  }
  writer.key("built_in").begin_object().key("worker").string(record.work->built_in->worker.text);
  writer.key("with").begin_object();
  for (const auto& [name, text] : record.work->built_in->with) {
    writer.key(name).string(text_with_parameters(contract, text));
  }
  writer.end_object().end_object();
}

void write_adoption(json::Writer& writer, const rules::Adoption& adoption) {
  writer.key("adoption").begin_object().key("done").boolean(adoption.is_done);
  writer.key("seen").integer(adoption.seen).key("changed").integer(adoption.changed);
  writer.key("unfit").integer(adoption.unfit);
  if (!adoption.complaint.empty()) {
    writer.key("complaint").string(adoption.complaint);
  }
  writer.end_object();
}

void write_contract(json::Writer& writer, const rules::Deployed& deployed,
                    const std::optional<rules::Adoption>& adoption) {
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
    write_work(writer, contract, *kind.record);
    writer.end_object();
  }
  writer.end_array();
  if (adoption) {
    write_adoption(writer, *adoption);
  }
  writer.end_object();
}

void run(Call call, const Input& /*input*/) {
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("contracts").begin_array();
  for (const auto& deployed : call.contracts()) {
    const auto& adoption_of = call.services().adoption_of;
    write_contract(writer, *deployed, adoption_of ? adoption_of(deployed->contract.name) : std::nullopt);
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
     R"("records":{"type":"array","items":{"type":"object"}},)"
     R"("adoption":{"type":"object","description":"How far the walk over the records has come that were )"
     R"(there before the contract.","properties":{"done":{"type":"boolean"},"seen":{"type":"integer"},)"
     R"("changed":{"type":"integer"},"unfit":{"type":"integer"},"complaint":{"type":"string"}}}}}}}})"}};

}  // namespace waybill::api::jobs
