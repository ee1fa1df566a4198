#include "bucket/rows.h"

#include <future>
#include <utility>

#include "expression/condition_tree.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::bucket {
namespace {

using expression::ConditionTree;

std::string encoded_text(std::string_view text) {
  std::string encoded;
  item::append_scalar(encoded, item::Type::string, text);
  return encoded;
}

ConditionTree::Piece path_to(expression::Terms& terms, const ConditionTree& tree,
                             std::string_view attribute) {
  auto path = terms.begin_path();
  terms.add_name(path, std::string(attribute));
  return tree.path(path);
}

expression::Condition by_function(std::string_view function, std::string_view attribute) {
  expression::Terms terms;
  expression::Problems problems;
  ConditionTree tree(terms, problems);
  ConditionTree::Pieces operands;
  operands.push_back(path_to(terms, tree, attribute));
  tree.add_function(function, operands);
  return tree.finish();
}

class CallVisit final : public store::Visitor {
 public:
  explicit CallVisit(const Rows::Visit& call) : call_(call) {}
  bool visit(std::string_view /*key*/, item::ItemView row, uint32_t /*size_bytes*/) override {
    return call_(row);
  }

 private:
  const Rows::Visit& call_;
};

store::Action about(store::ActionKind kind, const table::TablePtr& table, item::Item item) {
  store::Action action;
  action.kind = kind;
  action.table = table;
  action.key = table::primary_key(table->key, item.view());
  action.item = std::move(item);
  return action;
}

}  // namespace

Result<std::optional<item::Item>> Rows::get(std::string_view name, const item::Item& key) const {
  const auto found = table(name);
  WAYBILL_TRY_ASSIGN(auto row, store_.get(*found, table::primary_key(found->key, key.view())));
  return row ? std::optional(std::move(row->item)) : std::nullopt;
}

Status Rows::read(std::string_view name, std::string_view partition, std::string_view from,
                  const Visit& visit) const {
  store::Range range;
  range.table = table(name);
  const std::string value = encoded_text(partition);
  table::append_partition(range.begin, item::ValueView(value.data()));
  range.end = table::after_prefix(range.begin);
  table::append_sort_prefix(range.begin, from);
  CallVisit visitor(visit);
  return store_.read(range, visitor);
}

Result<bool> Rows::has_content(std::string_view name, std::string_view content) const {
  store::Range range;
  range.table = table(name);
  range.index = range.table->find_index(rules::content_index);
  range.count_wanted = 1;
  const std::string value = encoded_text(content);
  table::append_partition(range.begin, item::ValueView(value.data()));
  range.end = table::after_prefix(range.begin);
  bool found = false;
  const Visit visit = [&found](item::ItemView) {
    found = true;
    return false;
  };
  CallVisit visitor(visit);
  WAYBILL_TRY(store_.read(range, visitor));
  return found;
}

Result<store::Outcome> Rows::commit(store::Transaction transaction) const {
  auto promise = std::make_shared<std::promise<store::Outcome>>();
  auto committed = promise->get_future();
  store_.commit(std::move(transaction),
                [promise](store::Outcome outcome) { promise->set_value(std::move(outcome)); });
  auto outcome = committed.get();
  if (outcome.error) {
    return *std::move(outcome.error);
  }
  return outcome;
}

std::vector<store::Outcome> Rows::commit_each(std::vector<store::Transaction> transactions) const {
  auto promise = std::make_shared<std::promise<std::vector<store::Outcome>>>();
  auto committed = promise->get_future();
  store_.commit_each(std::move(transactions), [promise](std::vector<store::Outcome> outcomes) {
    promise->set_value(std::move(outcomes));
  });
  return committed.get();
}

expression::Condition is_there(std::string_view attribute) {
  return by_function("attribute_exists", attribute);
}

expression::Condition is_absent(std::string_view attribute) {
  return by_function("attribute_not_exists", attribute);
}

expression::Condition has_text(std::string_view attribute, std::string_view text) {
  expression::Terms terms;
  expression::Problems problems;
  ConditionTree tree(terms, problems);
  const std::string value = encoded_text(text);
  ConditionTree::Pieces operands;
  operands.push_back(path_to(terms, tree, attribute));
  operands.push_back(tree.literal(terms.add_literal(item::ValueView(value.data()))));
  tree.add_comparison(ConditionTree::Operator::equal, "=", operands);
  return tree.finish();
}

store::Action put_row(const table::TablePtr& table, item::Item row) {
  return about(store::ActionKind::put, table, std::move(row));
}

store::Action remove_row(const table::TablePtr& table, item::Item key) {
  return about(store::ActionKind::remove, table, std::move(key));
}

store::Action need_row(const table::TablePtr& table, item::Item key) {
  auto action = about(store::ActionKind::check, table, std::move(key));
  action.condition = is_there(table->key.partition.name);
  return action;
}

}  // namespace waybill::bucket
