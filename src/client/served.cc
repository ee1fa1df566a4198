#include "client/served.h"

#include "base/json.h"

namespace waybill::client {
namespace {

std::string text_of(const json::Value& object, std::string_view name) {
  const auto found = object.find(name);
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

// Of a record's "built_in"; its worker is "" where none works on it.
Served read_record(const std::string& contract, const json::Value& record) {
  Served served;
  served.contract = contract;
  served.record = text_of(record, "name");
  const auto built_in = record.find("built_in");
  if (!built_in || !built_in->is_object()) {
    return served;
  }
  served.worker = text_of(*built_in, "worker");
  const auto retries = record.find("retries");
  served.retries = retries && retries->boolean();
  if (const auto settings = built_in->find("with"); settings && settings->is_object()) {
    for (json::Members each(*settings); each.next();) {
      if (each.value().is_string()) {
        served.settings.emplace(each.key(), each.value().string());
      }
    }
  }
  if (const auto trace = record.find("trace"); trace && trace->is_array()) {
    for (json::Elements each(*trace); each.next();) {
      if (each.value().is_string()) {
        served.trace.emplace_back(each.value().string());
      }
    }
  }
  return served;
}

}  // namespace

Result<std::vector<Served>> read_served(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  const auto contracts = root && root->is_object() ? root->find("contracts") : std::nullopt;
  if (!contracts || !contracts->is_array()) {
    return Error{ErrorKind::malformed, "the server's list of contracts cannot be read: is it Waybill?", {}};
  }
  std::vector<Served> all;
  for (json::Elements each(*contracts); each.next();) {
    const auto records = each.value().is_object() ? each.value().find("records") : std::nullopt;
    if (!records || !records->is_array()) {
      continue;
    }
    const auto contract = text_of(each.value(), "name");
    for (json::Elements record(*records); record.next();) {
      if (record.value().is_object()) {
        if (auto served = read_record(contract, record.value()); !served.worker.empty()) {
          all.push_back(std::move(served));
        }
      }
    }
  }
  return all;
}

}  // namespace waybill::client
