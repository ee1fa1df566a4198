#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/dynamodb/call.h"
#include "base/unique_function.h"
#include "store/store.h"
#include "table/table.h"

// Finding the table that a control-plane request is about, and answering once it has been changed.
namespace waybill::api::dynamodb {

Error table_not_found(std::string_view name);

// The table named by the request's TableName, which may be an ARN.
Result<table::TablePtr> find_named_table(const store::Store& store, const json::Value& body);

// The name in a table's ARN; Error invalid for anything else. The name lives as long as `arn`.
Result<std::string_view> table_name_in_arn(const std::optional<std::string_view>& arn);

// For the store to call when a change of a table, or of something else that is described, is done: puts the
// outcome into words on the connection's thread, by render(const Services&, const Described&).
template <typename Described = table::Table, typename Render>
UniqueFunction<void(Result<std::shared_ptr<const Described>>)> answer_with(Call call, Render render) {
  return [call = std::move(call),
          render = std::move(render)](Result<std::shared_ptr<const Described>> outcome) mutable {
    Call::resume(std::move(call),
                 [outcome = std::move(outcome), render = std::move(render)](Call back) mutable {
                   if (!outcome) {
                     back.fail(outcome.error());
                     return;
                   }
                   back.answer(std::string(render(back.services(), **outcome)));
                 });
  };
}

}  // namespace waybill::api::dynamodb
