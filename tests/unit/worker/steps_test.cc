// The decisions of the worker for workflows: values in texts, what answers and exit codes mean, where an
// attempt goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "worker/steps/classify.h"
#include "worker/steps/command_step.h"
#include "worker/steps/http_step.h"
#include "worker/steps/json_pattern.h"
#include "worker/steps/output.h"
#include "worker/steps/resume.h"
#include "worker/steps/workflow_reader.h"

namespace waybill::worker::steps {
namespace {

// A job's record and the values of it.
struct Record {
  explicit Record(const std::string& json)
      : root(*parser.parse_copy(json)), values(root, [](const std::string& name) {
          return name == "TOKEN" ? std::optional<std::string>("s3cret") : std::nullopt;
        }) {}

  json::Parser parser;
  json::Value root;
  Values values;
};

std::string filled(const Record& record, const std::string& text, Values::Form form = Values::Form::plain) {
  const auto pattern = Pattern::parse(text);
  EXPECT_TRUE(pattern) << text;
  const auto result = record.values.text(*pattern, form);
  return result ? *result : "error: " + result.error().message;
}

TEST(Pattern, BracesAreWrittenTwice) {
  const Record record("{}");
  EXPECT_EQ(filled(record, "{{a}} $5"), "{a} $5");
  EXPECT_FALSE(Pattern::parse("{a"));
  EXPECT_FALSE(Pattern::parse("a}"));
  EXPECT_FALSE(Pattern::parse("${a"));
  EXPECT_FALSE(Pattern::parse("{}"));
  EXPECT_FALSE(Pattern::parse("{a..b}"));
  EXPECT_FALSE(Pattern::parse("{a b}"));
  EXPECT_FALSE(Pattern::parse("${ENV:}"));
}

TEST(Values, FieldsOutputsElementsAndVariables) {
  Record record(R"({"input":{"list":[1,{"a":"x"}],"n":2.5,"no":null},"step_outputs":{"old":{"id":7}}})");
  ASSERT_TRUE(record.values.add_step("new", R"({"body":{"ok":true}})"));
  EXPECT_EQ(filled(record, "{job.input.list.1.a}-{job.input.n}-{job.input.list}"), "x-2.5-[1,{\"a\":\"x\"}]");
  EXPECT_EQ(filled(record, "{steps.old.id} {steps.new.body.ok}"), "7 true");
  EXPECT_EQ(filled(record, "Bearer ${ENV:TOKEN}"), "Bearer s3cret");
  EXPECT_EQ(filled(record, "{job.input.no}"), "error: there is no value {job.input.no}");
  EXPECT_EQ(filled(record, "{job.input.list.2}"), "error: there is no value {job.input.list.2}");
  EXPECT_EQ(filled(record, "${ENV:OTHER}"), "error: the variable OTHER is not set where the worker runs");
}

TEST(Values, PartsOfUrlsCannotLeadElsewhere) {
  const Record record(R"({"a":"x/../y?z=1&b #","dots":"..","none":""})");
  EXPECT_EQ(filled(record, "http://h/{job.a}", Values::Form::url), "http://h/x%2F..%2Fy%3Fz%3D1%26b%20%23");
  EXPECT_TRUE(filled(record, "http://h/{job.dots}/z", Values::Form::url).starts_with("error"));
  EXPECT_TRUE(filled(record, "http://h/{job.none}/z", Values::Form::url).starts_with("error"));
}

Workflow workflow_of(const std::string& text) {
  contract::Problems problems;
  auto workflow = read_workflow(text, problems);
  EXPECT_TRUE(workflow) << (problems.empty() ? "" : problems.front().what);
  return *std::move(workflow);
}

TEST(HttpStep, ValuesKeepTheirTypesInJson) {
  const auto workflow = workflow_of(R"(
workflow: w
steps:
  - name: a
    http:
      method: POST
      url: "http://h/"
      headers: {Authorization: "Bearer ${ENV:TOKEN}"}
      json: {all: "{job.input}", text: "n is {job.input.n}", n: "{job.input.n}", quote: "{job.input.q}"}
)");
  const Record record(R"({"input":{"n":3,"q":"a\"b"}})");
  const auto request = make_request(std::get<HttpCall>(workflow.steps[0].work), record.values, "job/a");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->body, R"({"all":{"n":3,"q":"a\"b"},"text":"n is 3","n":3,"quote":"a\"b"})");
  EXPECT_EQ(request->headers,
            (std::vector<std::string>{"Authorization: Bearer s3cret", "Content-Type: application/json",
                                      "Idempotency-Key: job/a"}));
}

bool passes(const std::optional<Error>& error) {
  return error && error->kind == ErrorKind::unavailable;
}
bool is_final(const std::optional<Error>& error) {
  return error && error->kind != ErrorKind::unavailable;
}

TEST(Classify, O5_StatusesThatMayPassAndThoseThatWouldComeAgain) {
  HttpCall call;
  for (const int status : {200, 201, 204, 299}) {
    EXPECT_FALSE(trouble_of_status(call, status)) << status;
  }
  for (const int status : {408, 425, 429, 500, 502, 503, 504, 599}) {
    EXPECT_TRUE(passes(trouble_of_status(call, status))) << status;
  }
  for (const int status : {301, 307, 400, 401, 403, 404, 409, 422, 501, 505}) {
    EXPECT_TRUE(is_final(trouble_of_status(call, status))) << status;
  }
  call.expect = {404};
  call.retry_on = {409};
  EXPECT_FALSE(trouble_of_status(call, 404));
  EXPECT_TRUE(is_final(trouble_of_status(call, 200)));
  EXPECT_TRUE(passes(trouble_of_status(call, 409)));
}

TEST(Classify, O5_ExitCodesThatMayPassAndThoseThatWouldComeAgain) {
  const auto exited = [](int code) { return code << 8; };
  Command command;
  EXPECT_FALSE(trouble_of_exit(command, exited(0)));
  for (const int code : {1, 2, 70, 75, 255}) {
    EXPECT_TRUE(passes(trouble_of_exit(command, exited(code)))) << code;
  }
  for (const int code : {64, 65, 78, 126, 127}) {
    EXPECT_TRUE(is_final(trouble_of_exit(command, exited(code)))) << code;
  }
  EXPECT_TRUE(passes(trouble_of_exit(command, SIGSEGV)));
  EXPECT_NE(trouble_of_exit(command, SIGSEGV)->message.find("SEGV"), std::string::npos);
  command.expect = {3};
  command.final_on = {1};
  command.retry_on = {65};
  EXPECT_FALSE(trouble_of_exit(command, exited(3)));
  EXPECT_TRUE(passes(trouble_of_exit(command, exited(0))));
  EXPECT_TRUE(is_final(trouble_of_exit(command, exited(1))));
  EXPECT_TRUE(passes(trouble_of_exit(command, exited(65))));
}

constexpr const char* two_steps = R"(
workflow: w
steps:
  - {name: a, credits: 2, command: {run: [x]}}
  - {name: b, credits: 0.5, command: {run: [x]}}
)";

TEST(Resume, O12_AJobThatKnowsNothingIsToldStepsAndCost) {
  const Record record(R"({"step_cursor":0,"steps_total":0,"credits_estimate":0})");
  const auto resume = decide_resume(workflow_of(two_steps), record.root);
  ASSERT_TRUE(resume);
  EXPECT_EQ(resume->step, 0u);
  EXPECT_EQ(resume->fields,
            R"({"steps_total":2,"step_names":["a","b"],"credits_estimate":2.5,"credits_reserved":2.5})");
}

TEST(Resume, O12_AnEstimateThatSomebodyMadeStays) {
  const Record record(R"({"step_cursor":0,"steps_total":2,"credits_estimate":9})");
  const auto resume = decide_resume(workflow_of(two_steps), record.root);
  ASSERT_TRUE(resume);
  EXPECT_EQ(resume->fields, R"({"steps_total":2,"step_names":["a","b"]})");
}

TEST(Resume, O9_GoesOnBehindWhatIsDone) {
  const Record one(R"({"step_cursor":1,"steps_total":2,"step_names":["a","b"],"credits_estimate":2.5})");
  const auto resume = decide_resume(workflow_of(two_steps), one.root);
  ASSERT_TRUE(resume);
  EXPECT_EQ(resume->step, 1u);
  EXPECT_EQ(resume->fields, "");
  const Record all(R"({"step_cursor":2,"steps_total":2,"step_names":["a","b"],"credits_estimate":2.5})");
  EXPECT_EQ(decide_resume(workflow_of(two_steps), all.root)->step, 2u) << "only the end is left to tell";
}

TEST(Resume, O9_StepsThatAreDoneMustBeThoseOfTheFile) {
  const Record other(R"({"step_cursor":1,"steps_total":2,"step_names":["z","b"]})");
  const auto changed = decide_resume(workflow_of(two_steps), other.root);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().detail, "WORKFLOW_CHANGED");
  const Record longer(R"({"step_cursor":3,"steps_total":3,"step_names":["a","b","c"]})");
  EXPECT_FALSE(decide_resume(workflow_of(two_steps), longer.root));
  const Record to_come(
      R"({"step_cursor":1,"steps_total":3,"step_names":["a","q","r"],"credits_estimate":1})");
  const auto resume = decide_resume(workflow_of(two_steps), to_come.root);
  ASSERT_TRUE(resume) << "what is not done yet may change";
  EXPECT_EQ(resume->step, 1u);
  EXPECT_EQ(resume->fields, R"({"steps_total":2,"step_names":["a","b"]})");
}

TEST(Output, IsKeptAsItIsOrAsTheFileSays) {
  Record record("{}");
  Step step;
  EXPECT_EQ(*kept_of(step, R"({"status":200,"body":{"id":1}})", record.values),
            R"({"status":200,"body":{"id":1}})");
  const std::string large = R"({"status":200,"body":")" + std::string(5'000, 'x') + R"("})";
  EXPECT_EQ(*kept_of(step, large, record.values), R"({"status":200,"is_cut":true})");
  const auto workflow = workflow_of(R"(
workflow: w
steps:
  - name: a
    command: {run: [x]}
    keep: {id: "{output.body.id}", text: "#{output.body.id}"}
)");
  EXPECT_EQ(*kept_of(workflow.steps[0], R"({"body":{"id":7,"more":"x"}})", record.values),
            R"({"id":7,"text":"#7"})");
  EXPECT_EQ(kept_of(workflow.steps[0], R"({"body":{}})", record.values).error().detail, "STEP_VALUE_MISSING");
}

TEST(CommandStep, ValuesAreNoOptionsAndTheEnvironmentIsItsOwn) {
  const auto workflow = workflow_of(R"(
workflow: w
steps:
  - name: a
    command: {run: [./tool, "{job.x}", "--", "{job.x}"], env: {KEY: "${ENV:TOKEN}", HOME: "/h"}}
)");
  const auto& command = std::get<Command>(workflow.steps[0].work);
  StepRun run;
  run.job_id = "j";
  run.folder = "/tmp";
  run.programs = "/flows";
  const Record hostile(R"({"x":"--delete"})");
  EXPECT_EQ(make_command(command, hostile.values, run).error().detail, "STEP_ARGUMENT_REFUSED");
  const Record plain(R"({"x":"a b; c"})");
  const auto line = make_command(command, plain.values, run);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->argv, (std::vector<std::string>{"/flows/tool", "a b; c", "--", "a b; c"}));
  EXPECT_NE(std::ranges::find(line->environment, "KEY=s3cret"), line->environment.end());
  EXPECT_NE(std::ranges::find(line->environment, "HOME=/h"), line->environment.end());
  EXPECT_EQ(std::ranges::find(line->environment, "HOME=/tmp"), line->environment.end());
}

}  // namespace
}  // namespace waybill::worker::steps
