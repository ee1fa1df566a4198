#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/table.h"

// What makes a wanted table or index a possible one. Errors carry the service's texts, in its order of
// checks.
namespace waybill::table {

inline constexpr std::size_t local_indexes_max = 5;
inline constexpr std::size_t global_indexes_max = 20;
inline constexpr std::size_t projected_attributes_max = 100;  // over all indexes of a table
inline constexpr int64_t capacity_units_max = 1'000'000'000'000;
// What an on-demand table can serve at once without warming up.
inline constexpr int64_t on_demand_warm_reads = 12'000;
inline constexpr int64_t on_demand_warm_writes = 4'000;

// A key schema as a client gives it: one or two elements, in any order.
struct KeyElement {
  std::string name;
  bool range = false;
};

struct CapacityUnits {
  int64_t read = 0;
  int64_t write = 0;
};

// Absent: not mentioned.
struct WantedLimits {
  std::optional<int64_t> read_units_max;
  std::optional<int64_t> write_units_max;
};

struct WantedProjection {
  std::optional<ProjectionKind> kind;
  std::optional<std::vector<std::string>> attributes;
};

struct WantedIndex {
  std::string name;
  std::vector<KeyElement> key;
  WantedProjection projection;
  std::optional<CapacityUnits> throughput;
  std::optional<WantedLimits> limits;
};

struct WantedTable {
  std::string name;
  std::vector<KeyElement> key;
  std::vector<KeyAttribute> definitions;
  std::optional<std::vector<WantedIndex>> local_indexes;
  std::optional<std::vector<WantedIndex>> global_indexes;
  std::optional<BillingMode> billing;  // absent: provisioned
  std::optional<CapacityUnits> throughput;
  std::optional<WantedLimits> limits;
};

// The table that is wanted: keys, definitions, indexes, billing and throughput. Or the first rule that it
// breaks. Pure: no space ids, no times.
Result<Table> make_table(const WantedTable& wanted);

// Parts of it, for indexes that are added later.
Status check_capacity(const CapacityUnits& units);
Status check_key_shape(const std::vector<KeyElement>& key);
Status check_projection(const WantedProjection& projection);
// Texts mention `subject`: "table", or "index : name".
Status check_limits(const WantedLimits& limits, std::string_view subject);
// Every attribute of the key is in `definitions`.
Status check_defined(const std::vector<const WantedIndex*>& indexes,
                     const std::vector<KeyAttribute>& definitions);
Status check_projected_count(const std::vector<Index>& indexes);

// The key, its types taken from `definitions`, which must have them.
KeySchema make_key(const std::vector<KeyElement>& elements, const std::vector<KeyAttribute>& definitions);

// The index, its key types taken from `definitions`, which must have them.
Index make_index(const WantedIndex& wanted, IndexKind kind, const std::vector<KeyAttribute>& definitions);

// What remains of limits; nullopt where nothing is limited.
std::optional<OnDemandLimits> make_limits(const std::optional<WantedLimits>& wanted);

// The definition of that name, or null.
const KeyAttribute* find_definition(const std::vector<KeyAttribute>& definitions, std::string_view name);

// Lists of names as messages have them: without repetition, "[a, b]".
void add_once(std::vector<std::string_view>& names, std::string_view name);
std::string listed(const std::vector<std::string_view>& names);

// "One or more parameter values were invalid: <what>".
Error invalid_parameter(std::string_view what);

}  // namespace waybill::table
