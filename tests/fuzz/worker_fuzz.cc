// links: worker
// Answers of servers and providers, and files of workflows, may be anything: they are read, or refused with a
// reason.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/job.h"
#include "client/jobs_client.h"
#include "client/served.h"
#include "worker/assets/made.h"
#include "worker/assets/order.h"
#include "worker/assets/version.h"
#include "worker/photo/gemini_provider.h"
#include "worker/photo/seedream_provider.h"
#include "worker/steps/values.h"
#include "worker/steps/workflow_reader.h"
#include "worker/task.h"

using namespace waybill;

namespace {

template <typename T>
void check_reason(const Result<T>& result) {
  WAYBILL_CHECK(result || !result.error().message.empty());
}

void read_workflow(std::string_view bytes) {
  contract::Problems problems;
  const auto workflow = worker::steps::read_workflow(std::string(bytes), problems);
  WAYBILL_CHECK(workflow.has_value() == problems.empty());
  check_reason(worker::steps::Pattern::parse(bytes));
}

// A record decides about nothing but values.
void fill_in(const json::Value& record) {
  const auto pattern = worker::steps::Pattern::parse("{job.a.b}{job.c.0}{steps.d.e}");
  const worker::steps::Values values(record, [](const std::string&) { return std::optional<std::string>(); });
  check_reason(values.text(*pattern, worker::steps::Values::Form::url));
  check_reason(worker::assets::read_order(record));
  worker::assets::read_made(record);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_reason(client::read_served(bytes));
  check_reason(worker::photo::read_gemini_analysis(bytes));
  check_reason(worker::photo::read_gemini_image(bytes));
  check_reason(worker::photo::read_seedream_image(bytes));
  check_reason(worker::assets::read_made_list(bytes));
  check_reason(worker::assets::plan_version(bytes, "j", "rig"));
  read_workflow(bytes);
  WAYBILL_CHECK(!client::read_problem(500, bytes).message.empty());
  const auto job = client::Job::read("/v1/c/r", bytes);
  check_reason(job);
  if (job && *job) {
    worker::filled_in("{a}/{b}{", (*job)->record());
    fill_in((*job)->record());
  }
  return 0;
}
