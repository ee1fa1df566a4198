#include "api/dynamodb/statement_read.h"

#include <string>
#include <utility>

#include "api/dynamodb/item_request.h"
#include "api/dynamodb/read_request.h"
#include "partiql/access.h"
#include "partiql/lowering.h"
#include "table/key.h"

namespace waybill::api::dynamodb {
namespace {

// Query and Scan say the same in other words.
Result<const table::Index*> find_source_index(const table::Table& table, const partiql::Source& source,
                                              bool consistent) {
  if (!source.index) {
    return nullptr;
  }
  const auto* index = table.find_index(*source.index);
  if (index == nullptr) {
    return invalid("The table does not have the specified index");
  }
  if (index->kind == table::IndexKind::global && consistent) {
    return invalid("Strongly consistent read is not supported on Global Secondary Indexes");
  }
  if (index->backfilling) {
    return invalid("Cannot read from backfilling global secondary index: " + index->name);
  }
  return index;
}

// A Query of an index may ask only about what the index holds; a Scan finds that it is not there.
Status check_filter_projected(const table::Table& table, const table::Index& index,
                              const partiql::Access& access) {
  const auto& filter = access.slices.front().filter;
  if (!access.is_query || access.has_branches || !filter) {
    return {};
  }
  std::string missing;
  for (const auto& name : partiql::mentioned_attributes(*filter)) {
    if (!table::keeps_attribute(table, index, name)) {
      missing.append(missing.empty() ? "" : ", ").append(name);
    }
  }
  if (missing.empty()) {
    return {};
  }
  return invalid("One or more parameter values were invalid: Secondary index " + index.name +
                 " does not project one or more filter attributes: [" + missing + "]");
}

Result<PageRequest> page_of(const PageRequest& common, partiql::Slice& slice) {
  PageRequest page = common;
  page.range.begin = std::move(slice.range.begin);
  page.range.end = std::move(slice.range.end);
  if (slice.filter) {
    WAYBILL_TRY_ASSIGN(page.filter, partiql::lower_condition(*slice.filter));
  }
  return page;
}

}  // namespace

Result<std::vector<PageRequest>> decide_select(const store::Store& store, const partiql::Statement& statement,
                                               bool consistent) {
  PageRequest common;
  WAYBILL_TRY_ASSIGN(common.projection, partiql::lower_columns(statement.columns));
  if (statement.where) {
    // All of it, so that what is wrong with an operand is told before a key takes it.
    WAYBILL_TRY_ASSIGN(const auto whole, partiql::lower_condition(*statement.where));
  }
  WAYBILL_TRY_ASSIGN(common.range.table, find_table(store, statement.source.table));
  const auto& table = *common.range.table;
  WAYBILL_TRY_ASSIGN(common.range.index, find_source_index(table, statement.source, consistent));
  const auto& key = common.range.index != nullptr ? common.range.index->key : table.key;
  WAYBILL_TRY_ASSIGN(auto access, partiql::find_slices(statement.where, key));
  WAYBILL_TRY_ASSIGN(common.range.forward, partiql::settle_order(statement, key, access));
  WAYBILL_TRY(settle_projection(common, Select::unsaid));
  if (common.range.index != nullptr) {
    WAYBILL_TRY(check_filter_projected(table, *common.range.index, access));
  }
  common.units.consistent = consistent;
  std::vector<PageRequest> pages;
  for (auto& slice : access.slices) {
    WAYBILL_TRY_ASSIGN(auto page, page_of(common, slice));
    pages.push_back(std::move(page));
  }
  return pages;
}

Status resume(std::vector<PageRequest>& requests, std::size_t range, item::ItemView last_key) {
  if (range >= requests.size()) {
    return invalid("The provided starting key is invalid");
  }
  requests.erase(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(range));
  auto& first = requests.front().range;
  WAYBILL_TRY_ASSIGN(const auto key, parse_start_key(*first.table, first.index, last_key, StartKeyOf::query));
  table::KeyRange rest{first.begin, first.end};
  if (!rest.holds(key)) {
    return invalid("The provided starting key is invalid");
  }
  rest.resume_after(key, first.forward);
  first.begin = std::move(rest.begin);
  first.end = std::move(rest.end);
  return {};
}

Result<ItemRead> decide_item_read(const store::Store& store, const partiql::Statement& statement,
                                  std::string_view operation) {
  const Error no_key = invalid("Select statements within " + std::string(operation) +
                               " must specify the primary key in the where clause.");
  ItemRead read;
  WAYBILL_TRY_ASSIGN(read.projection, partiql::lower_columns(statement.columns));
  WAYBILL_TRY_ASSIGN(read.table, find_table(store, statement.source.table));
  if (statement.source.index || !statement.order.empty()) {
    return no_key;
  }
  auto access = partiql::find_item(statement.where, read.table->key);
  if (!access || !access->conditions.empty()) {
    return no_key;
  }
  read.key = std::move(access->key);
  return read;
}

}  // namespace waybill::api::dynamodb
