#pragma once

#include <cstdint>

#include "load/job.h"
#include "load/out_buffer.h"

namespace waybill::load {

// Appends the item as DynamoDB's JSON: {"jobId":{"S":"..."},...}.
void add_item_json(OutBuffer& out, const Job& job, JobStatus status, int64_t updated_at_ms);

// Appends a job's analysisResult and editResult as plain JSON, as a relational table keeps them.
void add_analysis_json(OutBuffer& out, const Job& job);
void add_edit_json(OutBuffer& out, const Job& job);

}  // namespace waybill::load
