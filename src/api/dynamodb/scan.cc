#include <string>
#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/read_request.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t segments_max = 1'000'000;

struct ScanFields {
  ReadFields read;
  std::optional<int64_t> segment;
  std::optional<int64_t> total_segments;
};

ScanFields read_fields(const Fields& fields) {
  return {ReadFields::read(fields, {"ScanFilter", "scanFilter"}), fields.integer("Segment"),
          fields.integer("TotalSegments")};
}

Status check_constraints(const ScanFields& fields) {
  Constraints constraints;
  check_table_name(constraints, fields.read.table_name);
  check_capacity_word(constraints, fields.read.capacity);
  constraints.one_of("select", fields.read.select,
                     {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"});
  constraints.value_min("limit", fields.read.limit, 1);
  constraints.value_min("segment", fields.segment, 0);
  fields.read.projection.check(constraints, "attributesToGet");
  check_operator_word(constraints, fields.read.conditional_operator);
  return constraints.status();
}

Status check_segments(const ScanFields& fields) {
  if (fields.total_segments && (*fields.total_segments < 1 || *fields.total_segments > segments_max)) {
    Constraints constraints;
    constraints.violated("totalSegments", "Member must have value between 1 and 1000000");
    return constraints.status();
  }
  if (fields.segment && !fields.total_segments) {
    return invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter "
        "is "
        "present");
  }
  if (fields.total_segments && !fields.segment) {
    return invalid(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments "
        "is "
        "present");
  }
  if (fields.segment && *fields.segment >= *fields.total_segments) {
    return invalid(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
        std::to_string(*fields.segment) +
        " is not less than TotalSegments: " + std::to_string(*fields.total_segments));
  }
  return {};
}

Status check_generations(const ScanFields& fields) {
  return check_not_mixed({{"ScanFilter", fields.read.legacy_filter.has_value()},
                          {"ConditionalOperator", fields.read.conditional_operator.has_value()},
                          {"AttributesToGet", fields.read.projection.attributes.has_value()}},
                         {{"ProjectionExpression", fields.read.projection.expression.has_value()},
                          {"FilterExpression", fields.read.filter.has_value()}});
}

expression::PlaceholderSource placeholder_source(const ReadFields& fields) {
  expression::PlaceholderSource source;
  source.names = fields.names;
  source.values = fields.values;
  source.values_allowed = fields.filter.has_value();
  source.names_allowed = fields.filter || fields.projection.expression;
  source.values_refused_because = "FilterExpression is null";
  return source;
}

table::KeyRange segment_of(const ScanFields& fields) {
  if (!fields.segment) {
    return {};
  }
  return table::range_of_segment(static_cast<uint32_t>(*fields.segment),
                                 static_cast<uint32_t>(*fields.total_segments));
}

Result<std::string> parse_start(const PageRequest& page, const ScanFields& fields,
                                const table::KeyRange& segment, item::ItemView start) {
  WAYBILL_TRY_ASSIGN(std::string key,
                     parse_start_key(*page.range.table, page.range.index, start, StartKeyOf::scan));
  if (!segment.holds(key)) {
    return in_start_key(invalid(
        "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: " +
        std::to_string(*fields.total_segments) + " Segment: " + std::to_string(*fields.segment)));
  }
  return key;
}

Status settle_range(PageRequest& page, const ScanFields& fields, const std::optional<item::Item>& start) {
  auto range = segment_of(fields);
  if (start) {
    WAYBILL_TRY_ASSIGN(const std::string key, parse_start(page, fields, range, start->view()));
    range.resume_after(key, true);
  }
  page.range.begin = std::move(range.begin);
  page.range.end = std::move(range.end);
  return {};
}

// What needs no table is looked at first. The order is that in which the service tells faults.
Result<PageRequest> decide(const store::Store& store, const ScanFields& fields, ItemField start_field) {
  PageRequest page;
  WAYBILL_TRY(check_generations(fields));
  WAYBILL_TRY(expression::Placeholders::check_allowed(placeholder_source(fields.read)));
  WAYBILL_TRY(check_conditional_operator(fields.read.conditional_operator, fields.read.legacy_filter));
  WAYBILL_TRY_ASSIGN(page.filter, parse_legacy_filter(fields.read));
  WAYBILL_TRY_ASSIGN(const auto start, take_start_key(std::move(start_field)));
  WAYBILL_TRY_ASSIGN(auto placeholders, expression::Placeholders::parse(placeholder_source(fields.read)));
  WAYBILL_TRY(check_segments(fields));
  if (fields.read.filter) {
    WAYBILL_TRY_ASSIGN(page.filter, parse_filter(*fields.read.filter, placeholders));
  }
  WAYBILL_TRY_ASSIGN(page.projection, fields.read.projection.parse(placeholders));
  WAYBILL_TRY(placeholders.check_all_used());
  WAYBILL_TRY_ASSIGN(page.range.table, find_table(store, *fields.read.table_name));
  WAYBILL_TRY(check_select(fields.read));
  WAYBILL_TRY_ASSIGN(page.range.index, find_index(*page.range.table, fields.read));
  WAYBILL_TRY(settle_range(page, fields, start));
  WAYBILL_TRY(settle_projection(page, select_of(fields.read.select)));
  page.limit = fields.read.limit;
  page.range.count_wanted = static_cast<std::size_t>(fields.read.limit.value_or(0));
  page.units.consistent = fields.read.consistent;
  page.capacity = capacity_detail(fields.read.capacity);
  return page;
}

Result<std::string> answer(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto scan = read_fields(fields);
  ItemField start(fields.map("ExclusiveStartKey", "AttributeValue"), reading);
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_constraints(scan));
  WAYBILL_TRY_ASSIGN(const auto page, decide(store, scan, std::move(start)));
  return read_page(store, page);
}

}  // namespace

void scan(Call call, const json::Value& body) {
  auto result = answer(call.store(), body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
