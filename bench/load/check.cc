#include "load/check.h"

#include <algorithm>
#include <string>

namespace waybill::load {
namespace {

using Found = std::vector<FoundItem>;

std::string text_of(uint64_t id) {
  return "item " + std::to_string(id) + " (" + std::string(job_id_of(id).view()) + ")";
}

Status check_status(const ItemRef& wanted, const FoundItem& found) {
  if (wanted.status == JobStatus::unknown || wanted.status == found.status) {
    return {};
  }
  return invalid(text_of(wanted.id) + ": expected status " + std::string(name_of(wanted.status)) + ", got " +
                 std::string(name_of(found.status)));
}

Status check_count(std::size_t expected, std::size_t got) {
  return expected == got
             ? Status()
             : invalid("expected " + std::to_string(expected) + " items, got " + std::to_string(got));
}

// Exactly the items asked for, in any order: those that are not there aside.
Status check_asked(const Request& request, const Found& found) {
  std::size_t expected_count = 0;
  for (uint32_t i = 0; i < request.count; ++i) {
    const auto& wanted = request.items[i];
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&wanted](const FoundItem& item) { return item.id == wanted.id; });
    if (wanted.status == JobStatus::absent) {
      if (at != found.end()) {
        return invalid(text_of(wanted.id) + " was deleted, and is there");
      }
      continue;
    }
    ++expected_count;
    if (at == found.end()) {
      return invalid(text_of(wanted.id) + " is missing from the answer");
    }
    WAYBILL_TRY(check_status(wanted, *at));
  }
  return check_count(expected_count, found.size());
}

// The newest items of the user, newest first.
Status check_history(const ItemStates& states, const Request& request, const Found& found) {
  const auto expected = states.newest_of(request.user, query_items);
  WAYBILL_TRY(check_count(expected.size(), found.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i].id != expected[i]) {
      return invalid("newest of user " + std::to_string(request.user) + ", place " + std::to_string(i) +
                     ": expected " + text_of(expected[i]) + ", got " + text_of(found[i].id));
    }
    const auto status = states.known() ? states.status(expected[i]) : JobStatus::unknown;
    WAYBILL_TRY(check_status(ItemRef{expected[i], status}, found[i]));
  }
  return {};
}

// A page holds no item twice, and none that was deleted.
Status check_page(const ItemStates& states, const Found& found) {
  if (found.size() > scan_items) {
    return check_count(scan_items, found.size());
  }
  std::vector<uint64_t> ids;
  for (const auto& item : found) {
    ids.push_back(item.id);
    if (states.known()) {
      WAYBILL_TRY(check_status(ItemRef{item.id, states.status(item.id)}, item));
    }
  }
  std::sort(ids.begin(), ids.end());
  const bool twice = std::adjacent_find(ids.begin(), ids.end()) != ids.end();
  return twice ? Status(invalid("a page holds one item twice")) : Status();
}

}  // namespace

Status check_answer(Dialect& dialect, const ItemStates& states, const Request& request,
                    std::string_view body) {
  WAYBILL_TRY_ASSIGN(const auto found, dialect.read_items(request, body));
  switch (request.operation) {
    case Operation::get:
    case Operation::batch_get:
      return check_asked(request, found);
    case Operation::query:
      return check_history(states, request, found);
    case Operation::scan:
      return check_page(states, found);
    default:
      return check_count(0, found.size());
  }
}

}  // namespace waybill::load
