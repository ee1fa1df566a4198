#include "object/conditions.h"

#include "object/etag.h"

namespace waybill::object {
namespace {

int64_t whole_seconds(int64_t ms) {
  return ms / 1000;
}

// Whether the object is one of those that the request is meant for.
bool is_meant(const Conditions& conditions, const ObjectState& object) {
  if (conditions.if_match) {
    return names_etag(*conditions.if_match, object.etag, TagComparison::strong);
  }
  return !conditions.if_unmodified_since_seconds ||
         whole_seconds(object.modified_ms) <= *conditions.if_unmodified_since_seconds;
}

// Whether it is news to the client.
bool is_news(const Conditions& conditions, const ObjectState& object) {
  if (conditions.if_none_match) {
    return !names_etag(*conditions.if_none_match, object.etag, TagComparison::weak);
  }
  return !conditions.if_modified_since_seconds ||
         whole_seconds(object.modified_ms) > *conditions.if_modified_since_seconds;
}

}  // namespace

ReadVerdict decide_read(const Conditions& conditions, const ObjectState& object) {
  if (!is_meant(conditions, object)) {
    return ReadVerdict::precondition_failed;
  }
  return is_news(conditions, object) ? ReadVerdict::proceed : ReadVerdict::not_modified;
}

ReadVerdict decide_copy_source(const Conditions& conditions, const ObjectState& object) {
  const auto verdict = decide_read(conditions, object);
  return verdict == ReadVerdict::not_modified ? ReadVerdict::precondition_failed : verdict;
}

WriteVerdict decide_write(const Conditions& conditions, const ObjectState* object) {
  if (conditions.if_match) {
    if (object == nullptr) {
      return WriteVerdict::not_there;
    }
    if (!names_etag(*conditions.if_match, object->etag, TagComparison::strong)) {
      return WriteVerdict::precondition_failed;
    }
  }
  const bool is_excluded = object != nullptr && conditions.if_none_match &&
                           names_etag(*conditions.if_none_match, object->etag, TagComparison::weak);
  return is_excluded ? WriteVerdict::precondition_failed : WriteVerdict::proceed;
}

}  // namespace waybill::object
