#include "table/range.h"

#include "table/key.h"

namespace waybill::table {

namespace {

std::string with_sort(const std::string& partition, item::ValueView value) {
  std::string key = partition;
  append_sort(key, value);
  return key;
}

KeyRange all_with_prefix(std::string prefix) {
  std::string end = after_prefix(prefix);
  return {std::move(prefix), std::move(end)};
}

}  // namespace

void KeyRange::resume_after(std::string_view key, bool forward) {
  if (forward) {
    begin.assign(key).push_back('\0');  // no other key begins with this one
  } else {
    end.assign(key);
  }
}

KeyRange range_of(const expression::KeyCondition& condition) {
  using expression::SortOperator;
  std::string partition;
  append_partition(partition, condition.partition_value());
  switch (condition.op) {
    case SortOperator::none:
      return all_with_prefix(std::move(partition));
    case SortOperator::equal:
      return all_with_prefix(with_sort(partition, condition.low_value()));
    case SortOperator::less:
      return {partition, with_sort(partition, condition.low_value())};
    case SortOperator::less_or_equal:
      return {partition, after_prefix(with_sort(partition, condition.low_value()))};
    case SortOperator::greater:
      return {after_prefix(with_sort(partition, condition.low_value())), after_prefix(partition)};
    case SortOperator::greater_or_equal:
      return {with_sort(partition, condition.low_value()), after_prefix(partition)};
    case SortOperator::between:
      return {with_sort(partition, condition.low_value()),
              after_prefix(with_sort(partition, condition.high_value()))};
    case SortOperator::begins_with:
      append_sort_prefix(partition, condition.low_value().bytes());
      return all_with_prefix(std::move(partition));
  }
  return {};
}

KeyRange range_of_segment(uint32_t segment, uint32_t total) {
  return {segment_begin(segment, total),
          segment + 1 == total ? std::string() : segment_begin(segment + 1, total)};
}

}  // namespace waybill::table
