#include "partiql/access.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "partiql/key_match.h"
#include "partiql/lowering.h"

namespace waybill::partiql {

namespace {

using Kind = Expression::Kind;

// One way to fulfil the clause: conditions on one partition, joined by AND.
struct Branch {
  expression::KeyCondition condition;
  table::KeyRange range;
  std::vector<Expression> filter;      // what the range does not say
  std::vector<Expression> conditions;  // all of it
  bool negates_sort = false;
};

std::vector<Expression> operands_or_itself(const Expression& expression, Kind kind) {
  if (expression.kind != kind) {
    return {expression};
  }
  std::vector<Expression> flat;
  for (const auto& operand : expression.operands) {
    for (auto& part : operands_or_itself(operand, kind)) {
      flat.push_back(std::move(part));
    }
  }
  return flat;
}

bool mentions(const Expression& expression, std::string_view attribute) {
  return expression.is_path(attribute) ||
         std::any_of(expression.operands.begin(), expression.operands.end(),
                     [&](const Expression& operand) { return mentions(operand, attribute); });
}

bool negates(const Expression& condition, std::string_view attribute) {
  const bool negative =
      condition.kind == Kind::negate || (condition.kind == Kind::comparison && condition.name == "<>");
  return negative && mentions(condition, attribute);
}

// The conditions that AND joins, sorted by what a key can do with them.
struct Sorted {
  std::optional<std::vector<std::string>> partitions;
  std::optional<KeyTest> sort;
  std::vector<Expression> filter;
  bool negates_sort = false;
};

Sorted sorted(const std::vector<Expression>& conditions, const table::KeySchema& key) {
  Sorted result;
  for (const auto& condition : conditions) {
    auto values = result.partitions ? std::nullopt : equal_values(condition, key.partition.name);
    auto test = key.sort && !result.sort ? sort_test(condition, key.sort->name) : std::nullopt;
    if (values) {
      result.partitions = std::move(values);
    } else if (test) {
      result.sort = std::move(test);
    } else {
      result.negates_sort = result.negates_sort || (key.sort && negates(condition, key.sort->name));
      result.filter.push_back(condition);
    }
  }
  return result;
}

bool names_partition(const Expression& joined, const table::KeySchema& key) {
  const auto conditions = operands_or_itself(joined, Kind::all);
  return std::any_of(conditions.begin(), conditions.end(), [&](const Expression& condition) {
    return equal_values(condition, key.partition.name).has_value();
  });
}

Error too_many_values(std::size_t count) {
  return invalid("The IN operator is provided with too many operands; number of operands: " +
                 std::to_string(count));
}

// One branch for each value that the partition key may have, by conditions that name it.
Result<std::vector<Branch>> branches_of(const Expression& joined, const table::KeySchema& key) {
  std::vector<Branch> branches;
  Branch common;
  common.conditions = operands_or_itself(joined, Kind::all);
  auto parts = sorted(common.conditions, key);
  if (parts.partitions->size() > partition_values_max) {
    return too_many_values(parts.partitions->size());
  }
  common.filter = std::move(parts.filter);
  common.negates_sort = parts.negates_sort;
  if (parts.sort) {
    common.condition.op = parts.sort->op;
    common.condition.low = std::move(parts.sort->low);
    common.condition.high = std::move(parts.sort->high);
  }
  for (auto& value : *parts.partitions) {
    Branch branch = common;
    branch.condition.partition = std::move(value);
    WAYBILL_TRY(check_key_condition(key, branch.condition));
    branch.range = table::range_of(branch.condition);
    branches.push_back(std::move(branch));
  }
  return branches;
}

bool overlap(const table::KeyRange& a, const table::KeyRange& b) {
  return (b.end.empty() || a.begin < b.end) && (a.end.empty() || b.begin < a.end);
}

std::optional<Expression> joined_by_and(std::vector<Expression> conditions) {
  if (conditions.empty()) {
    return std::nullopt;
  }
  return conditions.size() == 1 ? std::move(conditions.front()) : all_of(std::move(conditions));
}

Slice slice_of(Branch branch) {
  return {std::move(branch.condition.partition), std::move(branch.range),
          joined_by_and(std::move(branch.filter))};
}

bool is_ranged(const Branch& branch) {
  return branch.condition.op != expression::SortOperator::none;
}

// Branches that reach for the same items become one that reads their partition once.
Slice merged(const std::vector<Branch>& branches) {
  expression::KeyCondition whole;
  whole.partition = branches.front().condition.partition;
  Slice slice{whole.partition, table::range_of(whole), {}};
  std::vector<Expression> ways;
  for (const auto& branch : branches) {
    if (branch.filter.empty() && !is_ranged(branch)) {
      return slice;  // it wants everything
    }
    ways.push_back(*joined_by_and(branch.conditions));
  }
  slice.filter = any_of(std::move(ways));
  return slice;
}

// The branches of one partition: apart from each other, or merged where that can be done.
Result<std::vector<Slice>> slices_of(std::vector<Branch> branches) {
  bool touch = false;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Branch& a = branches[i];
      const Branch& b = branches[j];
      if (!overlap(a.range, b.range)) {
        continue;
      }
      touch = true;
      if ((is_ranged(a) || is_ranged(b)) && !a.negates_sort && !b.negates_sort) {
        return invalid("Overlapping conditions with range keys are not supported in where clause");
      }
    }
  }
  std::vector<Slice> slices;
  if (touch) {
    slices.push_back(merged(branches));
    return slices;
  }
  for (auto& branch : branches) {
    slices.push_back(slice_of(std::move(branch)));
  }
  return slices;
}

Access scan_of(const std::optional<Expression>& where) {
  Access access;
  access.slices.push_back({{}, {}, where});
  return access;
}

}  // namespace

Result<ItemAccess> find_item(const std::optional<Expression>& where, const table::KeySchema& key) {
  ItemAccess access;
  const auto conditions = where ? operands_or_itself(*where, Kind::all) : std::vector<Expression>();
  std::optional<std::string> partition;
  std::optional<std::string> sort;
  for (const auto& condition : conditions) {
    auto of_partition = partition ? std::nullopt : equal_value(condition, key.partition.name);
    auto of_sort = key.sort && !sort ? equal_value(condition, key.sort->name) : std::nullopt;
    if (of_partition) {
      partition = std::move(of_partition);
    } else if (of_sort) {
      sort = std::move(of_sort);
    } else {
      access.conditions.push_back(condition);
    }
  }
  if (!partition || (key.sort && !sort)) {
    return invalid("Where clause does not contain a mandatory equality on all key attributes");
  }
  expression::KeyCondition named;
  named.partition = *partition;
  if (sort) {
    named.op = expression::SortOperator::equal;
    named.low = *sort;
  }
  WAYBILL_TRY(check_key_condition(key, named));
  item::append_attribute(access.key.encoded, key.partition.name, named.partition_value());
  if (sort) {
    item::append_attribute(access.key.encoded, key.sort->name, named.low_value());
  }
  return access;
}

Result<Access> find_slices(const std::optional<Expression>& where, const table::KeySchema& key) {
  if (!where) {
    return scan_of(where);
  }
  const auto ways = operands_or_itself(*where, Kind::any);
  if (!std::all_of(ways.begin(), ways.end(),
                   [&](const Expression& way) { return names_partition(way, key); })) {
    return scan_of(where);
  }
  Access access;
  std::vector<std::vector<Branch>> partitions;  // in the order of their first branches
  access.has_branches = ways.size() > 1;
  for (const auto& way : ways) {
    WAYBILL_TRY_ASSIGN(auto branches, branches_of(way, key));
    access.partition_conditions += branches.size();
    if (access.partition_conditions > partition_conditions_max) {
      return too_many_values(access.partition_conditions);
    }
    for (auto& branch : branches) {
      const auto same = std::find_if(partitions.begin(), partitions.end(), [&](const auto& known) {
        return item::equal(known.front().condition.partition_value(), branch.condition.partition_value());
      });
      auto& place = same != partitions.end() ? *same : partitions.emplace_back();
      place.push_back(std::move(branch));
    }
  }
  access.is_query = true;
  for (auto& branches : partitions) {
    WAYBILL_TRY_ASSIGN(auto slices, slices_of(std::move(branches)));
    std::move(slices.begin(), slices.end(), std::back_inserter(access.slices));
  }
  return access;
}

}  // namespace waybill::partiql
