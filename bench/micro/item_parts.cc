// item: between JSON and the stored form, and what is asked of stored items.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "item/json.h"
#include "item/value.h"
#include "part.h"
#include "samples.h"

namespace waybill::micro {
namespace {

constexpr int page_items = 20;

Work parse_key() {
  const auto body = document(get_item_body());
  return {.once =
              [body, key = body->at("Key")] {
                const auto item = item::parse_item(key);
                benchmark::DoNotOptimize(item);
              },
          .bytes = 26};
}

Work parse_item() {
  const std::string text = job_json(7);
  const auto item = document(text);
  return {.once =
              [item] {
                const auto parsed = item::parse_item(item->root());
                benchmark::DoNotOptimize(parsed);
              },
          .bytes = static_cast<int64_t>(text.size())};
}

Work write_items(int count) {
  std::vector<item::Item> items;
  int64_t bytes = 0;
  for (int i = 0; i < count; ++i) {
    items.push_back(job(i));
    bytes += static_cast<int64_t>(job_json(i).size());
  }
  return {.once =
              [items] {
                std::string out;
                for (const auto& item : items) {
                  item::append_json(out, item.view());
                }
                benchmark::DoNotOptimize(out.data());
              },
          .bytes = bytes,
          .items = count};
}

Work write_item() {
  return write_items(1);
}
Work write_page() {
  return write_items(page_items);
}

Work size() {
  const item::Item item = job(7);
  WAYBILL_CHECK(item::size_bytes(item.view()) > 1000 && item::size_bytes(item.view()) < 1100);
  return {.once =
              [item] {
                const auto bytes = item::size_bytes(item.view());
                benchmark::DoNotOptimize(bytes);
              },
          .bytes = static_cast<int64_t>(item.encoded.size())};
}

// The same attributes in the opposite order: the long way to find that two items are equal.
Work equal() {
  const item::Item item = job(7);
  std::vector<std::string_view> attributes;
  for (item::AttributeCursor cursor(item.view()); cursor.next();) {
    attributes.push_back(cursor.encoded());
  }
  item::Item reversed;
  for (auto at = attributes.rbegin(); at != attributes.rend(); ++at) {
    reversed.encoded.append(*at);
  }
  WAYBILL_CHECK(item::equal(item.view(), reversed.view()));
  return {.once =
              [item, reversed] {
                const bool same = item::equal(item.view(), reversed.view());
                benchmark::DoNotOptimize(same);
              },
          .bytes = static_cast<int64_t>(item.encoded.size())};
}

// Attributes at the beginning, in the middle and at the end of an item, and one that it does not have.
Work find() {
  const item::Item item = job(7);
  static constexpr std::string_view names[] = {"jobId", "provider", "ttl", "deletedAt"};
  return {.once =
              [item] {
                for (const auto name : names) {
                  const auto value = item.view().find(name);
                  benchmark::DoNotOptimize(value);
                }
              },
          .bytes = 0,
          .items = std::size(names)};
}

}  // namespace

void add_item_parts(Parts& parts) {
  parts.push_back({"item.parse_key", parse_key});
  parts.push_back({"item.parse", parse_item});
  parts.push_back({"item.write_json", write_item});
  parts.push_back({"item.write_json_20", write_page});
  parts.push_back({"item.size", size});
  parts.push_back({"item.equal_reordered", equal});
  parts.push_back({"item.find", find});
}

}  // namespace waybill::micro
