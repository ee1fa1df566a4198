#pragma once

#include "base/iso_time.h"
#include "base/json.h"
#include "job/lease.h"

namespace waybill::api::jobs {

// {"token":"…","fence":17,"until":"2026-11-16T18:30:00.123Z"}
inline void write_lease(json::Writer& writer, const job::Lease& lease) {
  writer.begin_object().key("token").string(lease.token);
  writer.key("fence").raw(std::to_string(lease.fence));
  writer.key("until").string(iso_time(lease.until_ms)).end_object();
}

}  // namespace waybill::api::jobs
