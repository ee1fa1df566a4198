// expression: conditions, updates, key conditions and projections, parsed and applied.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/placeholders.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "part.h"
#include "samples.h"

namespace waybill::micro {
namespace {

using expression::Condition;
using expression::ExpressionKind;
using expression::Placeholders;
using expression::PlaceholderSource;
using expression::Projection;
using expression::Update;

constexpr std::string_view projection_text =
    "jobId, #status, createdAt, analysisResult.labels[0].#name, editResult";
constexpr std::string_view projection_names = R"({"#status":"status","#name":"name"})";

PlaceholderSource source_of(const Document& body) {
  PlaceholderSource source;
  source.names = body.root().find("ExpressionAttributeNames");
  source.values = body.root().find("ExpressionAttributeValues");
  return source;
}

Result<Condition> parse_condition_of(const Document& body, Placeholders& placeholders) {
  return Condition::parse(body.at("ConditionExpression").string(), ExpressionKind::condition, placeholders);
}

Result<Update> parse_update_of(const Document& body, Placeholders& placeholders) {
  return Update::parse(body.at("UpdateExpression").string(), placeholders);
}

Work parse_placeholders() {
  const auto body = document(update_item_body());
  return {.once = [body] {
    const auto placeholders = Placeholders::parse(source_of(*body));
    benchmark::DoNotOptimize(placeholders);
  }};
}

Work parse_condition() {
  const auto body = document(update_item_body());
  const auto placeholders = std::make_shared<Placeholders>(*Placeholders::parse(source_of(*body)));
  return {.once = [body, placeholders] {
    const auto condition = parse_condition_of(*body, *placeholders);
    benchmark::DoNotOptimize(condition);
  }};
}

Work hold_condition() {
  const auto body = document(update_item_body());
  auto placeholders = *Placeholders::parse(source_of(*body));
  const Condition condition = *parse_condition_of(*body, placeholders);
  const item::Item item = job(7);
  WAYBILL_CHECK(condition.holds(item.view()));
  return {.once = [condition, item] {
    const bool holds = condition.holds(item.view());
    benchmark::DoNotOptimize(holds);
  }};
}

// A filter of several terms, as of a Query.
std::shared_ptr<const Document> filter_body() {
  return document(
      R"json({"FilterExpression":"(#status IN (:queued, :failed) OR attribute_not_exists(#error)) AND )json"
      R"json(size(originalFileName) < :size AND createdAt BETWEEN :from AND :to AND )json"
      R"json(begins_with(fileType, :type) AND contains(tags, :tag)",)json"
      R"json("ExpressionAttributeNames":{"#status":"status","#error":"error"},)json"
      R"json("ExpressionAttributeValues":{":queued":{"S":"QUEUED"},":failed":{"S":"FAILED"},)json"
      R"json(":size":{"N":"100"},":from":{"N":"1759600000000"},":to":{"N":"1759700000000"},)json"
      R"json(":type":{"S":"image/"},":tag":{"S":"holiday"}}})json");
}

Work parse_filter() {
  const auto body = filter_body();
  const auto placeholders = std::make_shared<Placeholders>(*Placeholders::parse(source_of(*body)));
  return {.once = [body, placeholders] {
    const auto filter =
        Condition::parse(body->at("FilterExpression").string(), ExpressionKind::filter, *placeholders);
    benchmark::DoNotOptimize(filter);
  }};
}

Work hold_filter() {
  const auto body = filter_body();
  auto placeholders = *Placeholders::parse(source_of(*body));
  const Condition filter =
      *Condition::parse(body->at("FilterExpression").string(), ExpressionKind::filter, placeholders);
  const item::Item item = job(7);
  WAYBILL_CHECK(filter.holds(item.view()));
  return {.once = [filter, item] {
    const bool holds = filter.holds(item.view());
    benchmark::DoNotOptimize(holds);
  }};
}

Work parse_update() {
  const auto body = document(update_item_body());
  const auto placeholders = std::make_shared<Placeholders>(*Placeholders::parse(source_of(*body)));
  return {.once = [body, placeholders] {
    const auto update = parse_update_of(*body, *placeholders);
    benchmark::DoNotOptimize(update);
  }};
}

Work apply_update() {
  const auto body = document(update_item_body());
  auto placeholders = *Placeholders::parse(source_of(*body));
  const Update update = *parse_update_of(*body, placeholders);
  const item::Item item = job(7);
  WAYBILL_CHECK(update.apply(item.view()).has_value());
  return {.once =
              [update, item] {
                const auto after = update.apply(item.view());
                benchmark::DoNotOptimize(after);
              },
          .bytes = static_cast<int64_t>(item.encoded.size())};
}

Work parse_key_condition() {
  const auto body = document(query_body());
  const expression::KeyNames names{"userId", "createdAt", item::Type::string, item::Type::number};
  return {.once = [body, names] {
    auto placeholders = Placeholders::parse(source_of(*body));
    auto rules = expression::parse_key_rules(body->at("KeyConditionExpression").string(), *placeholders);
    const auto condition = expression::match_key(*std::move(rules), names);
    benchmark::DoNotOptimize(condition);
  }};
}

Work parse_projection() {
  const auto names = document(projection_names);
  return {.once = [names] {
    PlaceholderSource source;
    source.names = names->root();
    auto placeholders = Placeholders::parse(source);
    const auto projection = Projection::parse(projection_text, *placeholders);
    benchmark::DoNotOptimize(projection);
  }};
}

Work project() {
  const auto names = document(projection_names);
  PlaceholderSource source;
  source.names = names->root();
  auto placeholders = *Placeholders::parse(source);
  const Projection projection = *Projection::parse(projection_text, placeholders);
  const item::Item item = job(7);
  return {.once =
              [projection, item] {
                std::string out;
                projection.append_projected(out, item.view());
                benchmark::DoNotOptimize(out.data());
              },
          .bytes = static_cast<int64_t>(item.encoded.size())};
}

}  // namespace

void add_expression_parts(Parts& parts) {
  parts.push_back({"expression.parse_placeholders", parse_placeholders});
  parts.push_back({"expression.parse_condition", parse_condition});
  parts.push_back({"expression.hold_condition", hold_condition});
  parts.push_back({"expression.parse_filter", parse_filter});
  parts.push_back({"expression.hold_filter", hold_filter});
  parts.push_back({"expression.parse_update", parse_update});
  parts.push_back({"expression.apply_update", apply_update});
  parts.push_back({"expression.parse_key_condition", parse_key_condition});
  parts.push_back({"expression.parse_projection", parse_projection});
  parts.push_back({"expression.project", project});
}

}  // namespace waybill::micro
