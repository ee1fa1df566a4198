#include "job/match.h"

#include "job/etag.h"

namespace waybill::job {

Status match(const Subject& subject, Draft& draft, const std::optional<std::string>& if_match) {
  if (!if_match || *if_match == "*") {
    return {};
  }
  const std::string etag = etag_of(subject, draft.seen().view());
  if (etag != *if_match) {
    return Error{ErrorKind::version_mismatch, "The record has changed: it is at \"" + etag + "\" now", {}};
  }
  const auto& version = subject.record().version;
  if (version && draft.number({version->text})) {
    return {};
  }
  draft.depend_on_all();
  return {};
}

}  // namespace waybill::job
