#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "load/job.h"
#include "load/job_json.h"
#include "load/out_buffer.h"

namespace waybill::load::postgres {

inline constexpr int text_type = 25;
inline constexpr int bigint_type = 20;
inline constexpr int text_array_type = 1009;

struct Column {
  std::string_view name;
  int type;
};

// The table's columns, job_id first. What DynamoDB keeps as maps is kept as JSON in text: jsonb would have to
// be parsed on the way in and printed on the way out.
inline constexpr std::array<Column, 18> columns = {{
    {"job_id", text_type},
    {"user_id", text_type},
    {"status", text_type},
    {"created_at", bigint_type},
    {"updated_at", bigint_type},
    {"file_size", bigint_type},
    {"file_type", text_type},
    {"original_file_name", text_type},
    {"s3_temp_key", text_type},
    {"s3_final_key", text_type},
    {"provider", text_type},
    {"processing_started_at", bigint_type},
    {"processing_completed_at", bigint_type},
    {"analysis_result", text_type},
    {"edit_result", text_type},
    {"correlation_id", text_type},
    {"trace_id", text_type},
    {"ttl", bigint_type},
}};
inline constexpr std::size_t status_column = 2;
inline constexpr std::size_t updated_at_column = 4;

// Calls `take` with the value of each column, in their order, as text or as a number. `scratch` is used on
// the way.
template <typename Take>
void visit_row(const Job& job, JobStatus status, int64_t updated_at_ms, OutBuffer& scratch, Take&& take) {
  take(job.job_id.view());
  take(job.user_id.view());
  take(name_of(status));
  take(job.created_at_ms);
  take(updated_at_ms);
  take(job.file_size);
  take(job.file_type);
  take(job.original_file_name.view());
  take(job.s3_temp_key.view());
  take(job.s3_final_key.view());
  take(job.provider);
  take(job.processing_started_at_ms);
  take(job.processing_completed_at_ms);
  scratch.clear();
  add_analysis_json(scratch, job);
  take(scratch.view());
  scratch.clear();
  add_edit_json(scratch, job);
  take(scratch.view());
  take(job.correlation_id.view());
  take(job.trace_id.view());
  take(job.ttl_seconds);
}

}  // namespace waybill::load::postgres
