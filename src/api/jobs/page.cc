#include "api/jobs/page.h"

#include "api/jobs/cursor.h"

namespace waybill::api::jobs {

std::string binding_of(const Call& call, const Query& query) {
  const auto& subject = call.subject();
  std::string binding = subject.contract->contract.name;
  binding.append("/").append(subject.record().name).append("/").append(call.target().id);
  for (const auto& [name, value] : query.parameters()) {
    if (name != "cursor" && name != "limit") {
      binding.append(1, '\0').append(name).append(1, '=').append(value);
    }
  }
  return binding;
}

Result<job::Order> read_order(const Query& query, job::Order otherwise) {
  const auto text = query.find("order");
  if (!text) {
    return otherwise;
  }
  if (*text != "newest" && *text != "oldest") {
    return Error{ErrorKind::malformed, "order must be newest or oldest", "order"};
  }
  return *text == "newest" ? job::Order::newest : job::Order::oldest;
}

std::string print_next(const job::Page& page, std::string_view binding) {
  if (page.next.empty()) {
    return {};
  }
  return R"(,"next":")" + print_cursor(page.next, binding) + "\"";
}

}  // namespace waybill::api::jobs
