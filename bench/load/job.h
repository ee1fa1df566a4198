#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "load/fixed_text.h"

namespace waybill::load {

// How many items a table was loaded with, numbered from 0, and over how many users they are spread.
//
// Items beyond the loaded ones belong to users of their own: what a loaded user's history must hold stays
// known whatever is added.
struct Population {
  uint64_t items = 0;
  uint64_t users = 1;

  uint64_t user_of(uint64_t id) const { return id < items ? id % users : users + id % users; }
};

// The states a job passes, in a ring; `absent` and `unknown` are said of items, never stored in one.
enum class JobStatus : unsigned char { queued, processing, editing, completed, absent, unknown };

inline constexpr bool is_stored(JobStatus status) {
  return status < JobStatus::absent;
}
std::string_view name_of(JobStatus status);
std::optional<JobStatus> status_named(std::string_view name);
inline constexpr JobStatus after(JobStatus status) {
  return static_cast<JobStatus>((static_cast<unsigned>(status) + 1) % 4);
}

// The status that item `id` has when it is loaded: all four are equally frequent.
JobStatus first_status(uint64_t id);

struct Label {
  std::string_view name;
  FixedText<6> confidence;  // "0.9371"; never ends in 0, so that every server gives it back as it was sent
};

// One item of the jobs table: everything but `status` and `updatedAt` follows from its number alone, so that
// any answer can be checked without remembering what was written.
//
// By DynamoDB's own count (names and values, UTF-8; 1 byte for each two digits of a number and 1 more; 3
// bytes for a map or list and 1 for each of its elements) an item has 1,000 to 1,050 bytes; its JSON has
// about 1,450. Views point to static text or into the job.
struct Job {
  uint64_t id = 0;
  FixedText<26> job_id;  // looks like a ULID; in no order
  FixedText<16> user_id;
  int64_t created_at_ms = 0;  // one second apart from id to id, and unique
  int64_t file_size = 0;
  std::string_view file_type;
  FixedText<40> original_file_name;
  FixedText<80> s3_temp_key;
  FixedText<80> s3_final_key;
  std::string_view provider;
  int64_t processing_started_at_ms = 0;
  int64_t processing_completed_at_ms = 0;
  std::array<Label, 3> labels;
  FixedText<480> description;
  std::string_view adult;
  std::string_view violence;
  int64_t width = 0;
  int64_t height = 0;
  std::string_view format;
  int64_t edited_size = 0;
  FixedText<32> correlation_id;
  FixedText<35> trace_id;
  int64_t ttl_seconds = 0;

  Job() = default;
  Job(const Job&) = delete;  // half a page of text: passed by reference
  Job& operator=(const Job&) = delete;
};

// Writes item `id` of `population` into `job`, which must be fresh.
void make_job(const Population& population, uint64_t id, Job& job);

using JobId = FixedText<26>;
JobId job_id_of(uint64_t id);
using UserId = FixedText<16>;
UserId user_id_of(uint64_t user);

// The number behind a jobId, or nullopt where no item has such a jobId.
std::optional<uint64_t> id_of(std::string_view job_id);

// The loaded item's first updatedAt; those written later have the time of writing.
int64_t first_updated_at_ms(const Job& job);

}  // namespace waybill::load
