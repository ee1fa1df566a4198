#include <memory>
#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void delete_table(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  auto& store = call.store();
  auto stats = std::make_shared<TableStats>();
  store.delete_table(
      (*table)->name,
      [stats, &store](const table::Table& current) -> Status {
        if (current.deletion_protection) {
          return invalid(
              "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
              "protection first.");
        }
        *stats = read_stats(store, current);
        return {};
      },
      answer_with(std::move(call), [stats](const Services& services, const table::Table& gone) {
        DescriptionOptions options;
        options.status = "DELETING";
        return table_description("TableDescription", services, gone, *stats, options);
      }));
}

}  // namespace waybill::api::dynamodb
