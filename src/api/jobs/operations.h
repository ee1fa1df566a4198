#pragma once

#include <span>
#include <string_view>

#include "api/jobs/call.h"

// The operations of the jobs API, one file each.
namespace waybill::api::jobs {

// Which records have an operation; the description leaves it out for others.
enum class Needs : unsigned char { nothing, states, work, dead_letters, cancel, replay, steps, review };

// What the description says of an operation, as JSON. In it "@" stands for CONTRACT.RECORD.
struct Description {
  std::string_view summary;
  std::string_view parameters;  // of the query and the headers, with commas between; "": none
  std::string_view request;     // the schema of the body; "": there is none
  std::string_view status = "200";
  std::string_view response;  // the schema of the answer
  std::string_view response_type = "application/json";
};

struct Operation {
  std::string_view name;  // "claim"
  std::string_view method;
  Path::Shape shape = Path::Shape::records;
  std::string_view verb;  // "": none
  // Null for the batch, which the service carries out, since it leads to all others.
  void (*run)(Call call, const Input& input) = nullptr;
  Needs needs = Needs::nothing;
  Description description = {};
};

// A new operation is one file and one line here and in operations.cc.
extern const Operation approve;
extern const Operation batch;
extern const Operation cancel;
extern const Operation changes_of_record;
extern const Operation changes_of_records;
extern const Operation claim;
extern const Operation counts;
extern const Operation create;
extern const Operation describe;
extern const Operation fail;
extern const Operation finish;
extern const Operation get;
extern const Operation heartbeat;
extern const Operation history;
extern const Operation list;
extern const Operation list_contracts;
extern const Operation pause;
extern const Operation progress;
extern const Operation reject;
extern const Operation release;
extern const Operation remove;
extern const Operation replay;
extern const Operation replay_many;
extern const Operation show_contract;
extern const Operation step;
extern const Operation update;

std::span<const Operation* const> operations();

// Whether records of that kind have the operation.
bool applies(const Operation& operation, const contract::Record& record);

}  // namespace waybill::api::jobs
