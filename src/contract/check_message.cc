// The part of the check that looks at the messages of the work.
#include <algorithm>
#include <set>

#include "contract/check_parts.h"

namespace waybill::contract {

namespace {

// The fields of which the record's key is made.
std::set<std::string> key_fields(const Contract& contract, const Record& record) {
  std::set<std::string> names;
  for (const auto& key : contract.table.key) {
    const auto text = record.key.find(key.text);
    if (text == record.key.end()) {
      names.insert(key.text);
      continue;
    }
    for (const auto& name : text->second.fields()) {
      if (std::ranges::find(contract.parameters, name, &Parameter::name) == contract.parameters.end()) {
        names.insert(name);
      }
    }
  }
  return names;
}

// "{field}" and nothing else: what can be read back from the message as it was in the record.
bool is_plain(const Formula& formula, const std::string& field) {
  const auto& root = formula.root();
  const auto& parts = root.made.parts();
  return root.kind == Formula::Node::Kind::text && parts.size() == 1 && parts[0].is_field &&
         parts[0].width == 0 && parts[0].text == field;
}

}  // namespace

void check_message(const Contract& contract, const Record& record, Findings& findings) {
  if (!record.work) {
    return;
  }
  const auto& message = record.work->message;
  for (const auto& name : key_fields(contract, record)) {
    if (is_field(record, name) &&
        std::ranges::none_of(message, [&](const auto& part) { return is_plain(part.second, name); })) {
      findings.error(record.work->place,
                     joined({"the message of \"", record.name, "\" does not carry \"", name,
                             "\", of which the record's key is made: a worker could not find the record"}),
                     joined({"add ", name, ": \"{", name, "}\" to the message"}));
    }
  }
}

}  // namespace waybill::contract
