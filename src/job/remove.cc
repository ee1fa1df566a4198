#include "job/remove.h"

#include <utility>

#include "job/change.h"
#include "job/match.h"

namespace waybill::job {

namespace {

Status check_owner(const Subject& subject, Draft& draft, const std::optional<std::string>& owner) {
  if (!owner) {
    return {};
  }
  const auto& field = subject.record().owner;
  if (!field) {
    return Error{ErrorKind::invalid, "A " + subject.record().name + " has no owner by its contract", "owner"};
  }
  if (draft.text(path_of_text(field->text)) != owner) {
    return Error{ErrorKind::access_denied, "The record is another owner's (rule owner)", "owner"};
  }
  return {};
}

Result<Plan> decide(const RemoveRequest& request, Draft draft) {
  WAYBILL_TRY(match(request.target.subject, draft, request.if_match));
  WAYBILL_TRY(check_owner(request.target.subject, draft, request.owner));
  Plan plan{std::move(draft)};
  plan.removes = true;
  return plan;
}

}  // namespace

void remove(const Services& services, RemoveRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "remove",
      [request = std::move(request)](Draft draft) { return decide(request, std::move(draft)); },
      std::move(done));
}

}  // namespace waybill::job
