#include "job/update.h"

#include <utility>

#include "job/change.h"
#include "job/match.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const UpdateRequest& request, Draft draft) {
  WAYBILL_TRY(match(request.target.subject, draft, request.if_match));
  draft.merge(request.patch);
  return Plan{std::move(draft)};
}

}  // namespace

void update(const Services& services, UpdateRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "update",
      [request = std::move(request)](Draft draft) { return decide(request, std::move(draft)); },
      std::move(done));
}

}  // namespace waybill::job
