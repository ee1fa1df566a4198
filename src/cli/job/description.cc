#include "cli/job/description.h"

#include <algorithm>

#include "contract/reader.h"
#include "http/uri.h"

namespace waybill::cli::job {
namespace {

// In the parts of an id these would be read as its marks.
std::string escaped(const std::string& value) {
  std::string made;
  for (const char c : value) {
    if (c == '%' || c == ',' || c == '/') {
      http::append_uri_encoded(made, {&c, 1}, false);
    } else {
      made += c;
    }
  }
  return made;
}

std::optional<contract::Contract> read(const std::string& text) {
  contract::Problems problems;
  auto contract = contract::read_contract(text, problems);
  return problems.empty() ? std::move(contract) : std::nullopt;
}

std::vector<std::string> texts_of(std::string_view array) {
  std::vector<std::string> texts;
  for (const auto element : elements_of(array)) {
    texts.push_back(plain_text(element));
  }
  return texts;
}

// The records of a contract, each as its members.
std::vector<Members> records_of(const std::string& contracts, const std::string& name) {
  std::vector<Members> records;
  for (const auto element : elements_of(find(members_of(contracts), "contracts"))) {
    const auto contract = members_of(element);
    if (text_of(contract, "name") == name) {
      for (const auto record : elements_of(find(contract, "records"))) {
        records.push_back(members_of(record));
      }
    }
  }
  return records;
}

Error no_such_record(const Target& target, const std::vector<Members>& records) {
  std::string names;
  for (const auto& record : records) {
    names += (names.empty() ? "" : ", ") + text_of(record, "name");
  }
  return Error{
      ErrorKind::not_found,
      "the contract " + target.contract + " has no records \"" + target.record + "\"; it has " + names,
      {}};
}

bool is_move_to(const std::optional<contract::Move>& move, const std::string& state) {
  return move && move->to.text == state;
}

}  // namespace

Description::Description(std::string record_name, std::vector<std::string> id_fields,
                         std::optional<contract::Contract> contract)
    : record_name_(std::move(record_name)),
      id_fields_(std::move(id_fields)),
      contract_(std::move(contract)) {}

const contract::Record* Description::record() const {
  return contract_ ? contract_->find(record_name_) : nullptr;
}

std::string Description::status_field() const {
  const auto* const found = record();
  return found != nullptr && found->status ? found->status->field.text : std::string();
}

std::string Description::id_of(const Members& record) const {
  std::string id;
  for (const auto& field : id_fields_) {
    const auto value = text_of(record, field);
    if (value.empty()) {
      return {};
    }
    id += (id.empty() ? "" : ",") + escaped(value);
  }
  return id;
}

bool Description::is_of_id(std::string_view field) const {
  return std::ranges::find(id_fields_, field) != id_fields_.end();
}

bool Description::is_end(const std::string& state) const {
  const auto* const found = record();
  const auto* const known = found != nullptr && found->status ? found->status->find(state) : nullptr;
  return known != nullptr && known->is_end;
}

Colour Description::colour_of(const std::string& state) const {
  const auto* const found = record();
  if (found == nullptr || !found->work) {
    return Colour::none;
  }
  const auto& work = *found->work;
  if (is_move_to(work.done, state)) {
    return Colour::green;
  }
  if (is_move_to(work.fail, state) || (work.give_up && work.give_up->to.text == state)) {
    return Colour::red;
  }
  if (is_move_to(work.cancel, state)) {
    return Colour::dim;
  }
  return is_move_to(work.claim, state) ? Colour::yellow : Colour::none;
}

Result<Description> describe(Api& api, const Target& target) {
  std::string path = "/v1/contracts/";
  http::append_uri_encoded(path, target.contract, false);
  WAYBILL_TRY_ASSIGN(const auto text, api.get(path));
  WAYBILL_TRY_ASSIGN(const auto listed, api.get("/v1/contracts"));
  const auto records = records_of(listed.body, target.contract);
  const auto found = std::ranges::find_if(
      records, [&](const Members& record) { return text_of(record, "name") == target.record; });
  if (found == records.end()) {
    return no_such_record(target, records);
  }
  return Description(target.record, texts_of(find(*found, "id")), read(text.body));
}

Result<std::vector<std::string>> all_kinds(Api& api) {
  WAYBILL_TRY_ASSIGN(const auto listed, api.get("/v1/contracts"));
  std::vector<std::string> kinds;
  for (const auto element : elements_of(find(members_of(listed.body), "contracts"))) {
    const auto contract = members_of(element);
    for (const auto record : elements_of(find(contract, "records"))) {
      kinds.push_back(text_of(contract, "name") + "/" + text_of(members_of(record), "name"));
    }
  }
  return kinds;
}

}  // namespace waybill::cli::job
