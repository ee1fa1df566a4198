#pragma once

#include <optional>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/table_request.h"
#include "store/store.h"
#include "table/restore_rules.h"

// What the operations have in common that make a table of what another was.
namespace waybill::api::dynamodb {

struct GivenRestore {
  std::optional<std::string_view> name;
  std::optional<std::string_view> billing;
  std::optional<GivenThroughput> throughput;
  std::optional<table::WantedLimits> limits;
  GivenIndexes local_indexes;
  GivenIndexes global_indexes;
  std::optional<GivenEncryption> encryption;
};

GivenRestore read_restore(const Fields& fields);
void check_restore(Constraints& constraints, const GivenRestore& given);
// Of a request that has passed its checks.
Result<table::WantedRestore> take_restore(const GivenRestore& given);

struct RestoreRequest {
  store::RestoreSource source;
  table::WantedRestore wanted;
};

// Begins it and answers with the new table's description, or with what is wrong with the request.
void begin_restore(Call call, Result<RestoreRequest> request);

}  // namespace waybill::api::dynamodb
