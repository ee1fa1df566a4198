#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"
#include "api/dynamodb/tags.h"

namespace waybill::api::dynamodb {
namespace {

struct Request {
  std::string table;
  Tags tags;
};

Result<Request> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto arn = fields.string("ResourceArn");
  const auto given = read_tags(fields);
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, table_name_in_arn(arn));
  if (!given || given->empty()) {
    return invalid("Atleast one Tag needs to be provided as Input.");
  }
  WAYBILL_TRY_ASSIGN(auto tags, merge_tags({}, *given));
  WAYBILL_TRY(store.may_know(name));
  if (!store.find_table(name)) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: ResourcArn: " + std::string(*arn) + " not found",
                 {}};
  }
  return Request{std::string(name), std::move(tags)};
}

// `tags` have been checked one by one; their number together with those of before has not.
Result<table::Table> decide(table::Table table, const Tags& tags) {
  std::vector<GivenTag> given;
  for (const auto& [key, value] : tags) {
    given.push_back(GivenTag{key, value});
  }
  WAYBILL_TRY_ASSIGN(table.tags, merge_tags(std::move(table.tags), given));
  return table;
}

}  // namespace

void tag_resource(Call call, const json::Value& body) {
  auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  store.change_table(
      request->table,
      [tags = std::move(request->tags)](const table::Table& current) { return decide(current, tags); },
      answer_with(std::move(call), [](const Services&, const table::Table&) { return "{}"; }));
}

}  // namespace waybill::api::dynamodb
