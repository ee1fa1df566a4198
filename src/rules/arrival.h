#pragma once

#include <string>

#include "base/result.h"
#include "rules/effects.h"
#include "store/rules.h"

// Records that wait for an object (`enqueue: {when: object_arrives, …}`). A record in its first state waits;
// whichever of the two comes second, record or object, sends the record's message in its own commit. While
// the record stays in that state it is sent once, however often the object is written.
//
// A row of arrivals_table has who waits for one object:
//   object   S   "BUCKET/KEY"
//   waiting  M   by the record's path: M {queue S, body S, group S, sent BOOL}; `sent` stays true until the
//                record leaves its first state
namespace waybill::rules {

struct ObjectName {
  std::string bucket;
  std::string key;

  bool operator==(const ObjectName&) const = default;
};

// More records than this do not wait for one object; the log says which one is left out.
inline constexpr std::size_t waiting_max = 100;

// For the commit that brings the object.
Status add_arrival(const ObjectName& object, store::Ground& ground, store::Effects& effects);

// For the commit that changes a record.
Status add_waiting(const Happening& happening, store::Ground& ground, store::Effects& effects);

}  // namespace waybill::rules
