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
  for (const auto& field : subject.record().fields) {
    draft.find({field.name});  // also those that are not there, and might be meanwhile
  }
  return {};
}

}  // namespace waybill::job
