#include <string>

#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

// Runs examples/workflows/summary.yaml.
std::string fields_of_run() {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("workspace_id").string("tour").key("user_id").string("tour");
  writer.key("workflow_id").string("summary").key("trigger_type").string("manual");
  writer.key("credits_estimate").integer(2);
  writer.key("input")
      .begin_object()
      .key("text")
      .string("pears\napples\npears\nplums\n")
      .end_object()
      .end_object();
  return fields;
}

void tell_outputs(const Guide& guide, const json::Value& outputs) {
  for (json::Members steps(outputs); steps.next();) {
    std::string text = text_in(steps.value(), "stdout");
    for (auto& letter : text) {
      letter = letter == '\n' ? ' ' : letter;
    }
    guide.tell("step", std::string(steps.key()) + ": " + text);
  }
}

}  // namespace

Status show_orchestrator(Guide& guide) {
  WAYBILL_TRY(guide.expect_worker("orchestrator"));
  const std::string key = guide.new_word();
  WAYBILL_TRY_ASSIGN(const auto run, guide.create_once("/v1/orchestrator/job", fields_of_run(), key));
  WAYBILL_TRY_ASSIGN(const auto again, guide.create_once("/v1/orchestrator/job", fields_of_run(), key));
  const std::string id = run.text("job_id");
  guide.tell(run.text("status"), "run " + id + ", " + run.text("credits_reserved") + " credits reserved");
  guide.tell("once more",
             again.text("job_id") == id ? "the same run: its idempotency key is known" : "ANOTHER run");
  const std::string path = "/v1/orchestrator/job/" + id;
  const auto ended = guide.wait_for(path, "status", {"completed", "failed", "dead", "canceled"});
  if (!ended) {
    return Error{ended.error().kind,
                 ended.error().message + ". Workflows need: waybill serve --workflows examples/workflows",
                 {}};
  }
  if (ended->text("status") != "completed") {
    return Error{
        ErrorKind::internal,
        ended->text("last_error_code") + ": " + ended->text("last_error_message") +
            ". The tour's workflow is in examples/workflows: waybill serve --workflows examples/workflows",
        {}};
  }
  if (const auto outputs = ended->fields().find("step_outputs")) {
    tell_outputs(guide, *outputs);
  }
  guide.tell("credits",
             ended->text("credits_spent") + " spent, " + ended->text("credits_reserved") + " still reserved");
  return guide.tell_history(path);
}

}  // namespace waybill::cli::tour
