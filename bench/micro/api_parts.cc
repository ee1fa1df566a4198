// api: from a parsed body to what the store is asked for, as far as the operations share it.
#include <benchmark/benchmark.h>

#include <memory>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/page.h"
#include "api/dynamodb/read_request.h"
#include "api/dynamodb/write.h"
#include "base/check.h"
#include "part.h"
#include "sample_store.h"
#include "samples.h"

namespace waybill::micro {
namespace {

namespace dynamodb = api::dynamodb;

constexpr int page_items = 20;

// Every field of an UpdateItem body but its key, and its two expressions.
Work read_write_fields() {
  const auto body = document(update_item_body());
  return {.once = [body] {
    dynamodb::Reading reading;
    const dynamodb::Fields fields(body->root(), reading);
    const auto expressions = dynamodb::WriteExpressionFields::read(fields);
    const auto reply = dynamodb::WriteReplyFields::read(fields);
    benchmark::DoNotOptimize(expressions);
    benchmark::DoNotOptimize(reply);
  }};
}

Work parse_write() {
  const auto body = document(update_item_body());
  dynamodb::Reading reading;
  const auto fields = dynamodb::WriteExpressionFields::read(dynamodb::Fields(body->root(), reading));
  return {.once = [body, fields] {
    const auto parsed = dynamodb::parse_write_expressions(fields, store::ActionKind::update);
    benchmark::DoNotOptimize(parsed);
  }};
}

Work read_query_fields() {
  const auto body = document(query_body());
  return {.once = [body] {
    dynamodb::Reading reading;
    const auto fields =
        dynamodb::ReadFields::read(dynamodb::Fields(body->root(), reading), {"QueryFilter", "queryFilter"});
    benchmark::DoNotOptimize(fields);
  }};
}

Work answer_page() {
  auto store = std::make_shared<SampleStore>(page_items + 1);
  auto page = std::make_shared<dynamodb::PageRequest>();
  page->range.table = store->table();
  page->range.index = &store->table()->indexes.front();
  page->limit = page_items;
  const auto answer = dynamodb::read_page(*store, *page);
  WAYBILL_CHECK(answer && answer->find(R"("Count":20,)") != std::string::npos);
  return {.once =
              [store, page] {
                const auto body = dynamodb::read_page(*store, *page);
                benchmark::DoNotOptimize(body);
              },
          .bytes = static_cast<int64_t>(answer->size()),
          .items = page_items};
}

}  // namespace

void add_api_parts(Parts& parts) {
  parts.push_back({"api.read_update_fields", read_write_fields});
  parts.push_back({"api.parse_update_expressions", parse_write});
  parts.push_back({"api.read_query_fields", read_query_fields});
  parts.push_back({"api.read_page_20", answer_page});
}

}  // namespace waybill::micro
