// table: keys as bytes, and what a table asks of items.
#include <benchmark/benchmark.h>

#include <string>

#include "base/check.h"
#include "expression/key_condition.h"
#include "part.h"
#include "samples.h"
#include "table/key.h"
#include "table/range.h"
#include "table/validate.h"

namespace waybill::micro {
namespace {

Work primary_key() {
  const auto table = jobs_table();
  const item::Item item = job(7);
  return {.once = [table, item] {
    const auto key = table::primary_key(table->key, item.view());
    benchmark::DoNotOptimize(key);
  }};
}

// What a write makes of an item besides its primary key: an entry for each index, and one for its expiry.
Work entry_keys() {
  const auto table = jobs_table();
  const item::Item item = job(7);
  const std::string primary = table::primary_key(table->key, item.view());
  return {.once =
              [table, item, primary] {
                for (const auto& index : table->indexes) {
                  const auto key = table::entry_key(index, item.view(), primary);
                  benchmark::DoNotOptimize(key);
                }
                const auto seconds = table::expiry_seconds(table->ttl, item.view());
                const auto key = table::expiry_key(*seconds, primary);
                benchmark::DoNotOptimize(key);
              },
          .items = 3};
}

Work is_expired() {
  const auto table = jobs_table();
  const item::Item item = job(7);
  WAYBILL_CHECK(!table::is_expired(table->ttl, item.view(), now_ms / 1000));
  return {.once = [table, item] {
    const bool expired = table::is_expired(table->ttl, item.view(), now_ms / 1000);
    benchmark::DoNotOptimize(expired);
  }};
}

Work range_of() {
  expression::KeyCondition condition;
  item::append_scalar(condition.partition, item::Type::string, "user-12345");
  condition.op = expression::SortOperator::between;
  item::append_scalar(condition.low, item::Type::number, "1759600000000");
  item::append_scalar(condition.high, item::Type::number, "1759700000000");
  return {.once = [condition] {
    const auto range = table::range_of(condition);
    benchmark::DoNotOptimize(range);
  }};
}

Work check_item() {
  const auto table = jobs_table();
  const item::Item item = job(7);
  const uint32_t size = item::size_bytes(item.view());
  WAYBILL_CHECK(table::check_item(*table, item.view(), size, table::Change::put).has_value());
  return {.once = [table, item, size] {
    const auto checked = table::check_item(*table, item.view(), size, table::Change::put);
    benchmark::DoNotOptimize(checked);
  }};
}

}  // namespace

void add_table_parts(Parts& parts) {
  parts.push_back({"table.primary_key", primary_key});
  parts.push_back({"table.entry_keys", entry_keys});
  parts.push_back({"table.is_expired", is_expired});
  parts.push_back({"table.range_of", range_of});
  parts.push_back({"table.check_item", check_item});
}

}  // namespace waybill::micro
