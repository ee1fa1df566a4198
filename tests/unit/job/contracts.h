#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json.h"
#include "contract/reader.h"
#include "item/json.h"
#include "job/draft.h"
#include "job/services.h"
#include "rules/deployed.h"

namespace waybill::job {

inline std::string text_of_contract(const std::string& name) {
  std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/" + name + ".yaml");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// One of the contracts of contracts/, without a store.
inline rules::DeployedPtr contract_of(const std::string& name) {
  const std::string text = text_of_contract(name);
  contract::Problems problems;
  auto read = contract::read_contract(text, problems);
  WAYBILL_CHECK(read.has_value() && problems.empty());
  return *rules::deploy(*std::move(read), text);
}

inline Subject subject_of(const std::string& contract, const std::string& record) {
  Subject subject;
  subject.contract = contract_of(contract);
  subject.kind = subject.contract->find(record);
  WAYBILL_CHECK(subject.kind != nullptr);
  return subject;
}

inline item::Item item_of(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  WAYBILL_CHECK(root.has_value());
  auto item = item::parse_item(*root);
  WAYBILL_CHECK(item.has_value());
  return *std::move(item);
}

inline std::string json_of(item::ItemView item) {
  std::string out;
  item::append_json(out, item);
  return out;
}

// What stands at a path, as text: "" where there is nothing.
inline std::string at(const item::Item& item, std::string_view path) {
  Draft draft(item);
  const auto value = draft.find(path_of_text(path));
  if (!value) {
    return {};
  }
  const bool is_text = value->type() == item::Type::string || value->type() == item::Type::number;
  if (is_text) {
    return std::string(value->bytes());
  }
  std::string out;
  item::append_json(out, *value);
  return out;
}

}  // namespace waybill::job
