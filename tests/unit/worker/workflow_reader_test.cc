#include "worker/steps/workflow_reader.h"

#include <gtest/gtest.h>

namespace waybill::worker::steps {
namespace {

std::string problems_of(const std::string& text) {
  contract::Problems problems;
  const auto workflow = read_workflow(text, problems);
  EXPECT_EQ(workflow.has_value(), problems.empty());
  std::string all;
  for (const auto& problem : problems) {
    all += std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + " " +
           problem.what + "\n";
  }
  return all;
}

std::string with_http(const std::string& lines) {
  return "workflow: w\nsteps:\n  - name: a\n    http:\n" + lines;
}

TEST(WorkflowReader, ReadsRequestsAndCommands) {
  contract::Problems problems;
  const auto workflow = read_workflow(R"(
workflow: report
steps:
  - name: fetch
    http:
      method: POST
      url: "${ENV:REPORTS}/reports/{job.input.page}"
      headers: {Authorization: "Bearer ${ENV:TOKEN}"}
      json: {workspace: "{job.workspace_id}", limit: 10, deep: [true, null, "10"]}
      expect: [200, 201]
      retry_on: 409
    timeout: 30s
    retries: 2
    credits: 1.5
    output: json
    keep: {id: "{output.body.id}"}
  - name: render
    command:
      run: [./render, "--size", "{job.input.size}", "--", "{steps.fetch.id}"]
      env: {KEY: "${ENV:KEY}"}
      stdin: "{steps.fetch}"
      final_on: [3]
    timeout: 5m
    credits: 2
)",
                                      problems);
  ASSERT_TRUE(workflow) << (problems.empty() ? "" : problems.front().what);
  EXPECT_EQ(workflow->name, "report");
  EXPECT_EQ(workflow->credits_total, "3.5");
  ASSERT_EQ(workflow->steps.size(), 2u);
  const auto& fetch = workflow->steps[0];
  const auto& call = std::get<HttpCall>(fetch.work);
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.expect, (std::set<int64_t>{200, 201}));
  EXPECT_EQ(call.retry_on, (std::set<int64_t>{409}));
  EXPECT_EQ(fetch.timeout_s, 30);
  EXPECT_EQ(fetch.retries, 2);
  EXPECT_EQ(fetch.credits, "1.5");
  const auto& deep = call.json->items[2];
  EXPECT_EQ(deep.items[0].literal, "true");
  EXPECT_EQ(deep.items[1].literal, "null");
  EXPECT_EQ(deep.items[2].kind, JsonPattern::Kind::text) << "a number in quotes is a text";
  const auto& render = std::get<Command>(workflow->steps[1].work);
  EXPECT_EQ(render.run.size(), 5u);
  EXPECT_EQ(render.final_on, (std::set<int64_t>{3}));
}

TEST(WorkflowReader, NamesLineAndColumnOfAllThatIsWrong) {
  EXPECT_EQ(problems_of("workflow: w\nsteps:\n  - name: a\n    http: {url: \"ftp://x/\", metod: GET}\n"),
            "4:17 the step \"a\": http: the host of a url is written out\n"
            "4:29 the step \"a\": http has no \"metod\"\n");
  EXPECT_EQ(problems_of("workflow: w\nsteps: []\n"), "2:8 steps is a list of 1 to 64 steps, not a list\n");
  EXPECT_EQ(problems_of("workflow: w\n"), "1:1 the workflow lacks \"steps\"\n");
  EXPECT_EQ(problems_of("workflow: [\n").substr(0, 2), "2:");
  EXPECT_EQ(problems_of("workflow: w\nsteps:\n  - name: a\n    timeout: 0s\n    credits: -1\n"),
            "3:5 the step \"a\" is either a request or a command\n"
            "4:14 the step \"a\": timeout cannot be \"0s\"\n"
            "5:14 the step \"a\": credits is a number, not \"-1\"\n");
}

TEST(WorkflowReader, TheHostIsNoMatterOfJobs) {
  for (const auto* url : {"http://{job.input.host}/", "{job.input.url}", "http://a{job.input.b}/c",
                          "${ENV:A}{job.input.b}", "http://"}) {
    EXPECT_NE(problems_of(with_http("      url: \"" + std::string(url) + "\"\n")).find("host of a url"),
              std::string::npos)
        << url;
  }
  for (const auto* url : {"http://a/{job.input.b}", "https://a?b={job.input.b}", "${ENV:A}/x", "${ENV:A}"}) {
    EXPECT_EQ(problems_of(with_http("      url: \"" + std::string(url) + "\"\n")), "") << url;
  }
}

TEST(WorkflowReader, ValuesAreOfTheJobAndOfEarlierSteps) {
  EXPECT_NE(problems_of(with_http("      url: \"http://a/{steps.b.x}\"\n")).find("names no earlier step"),
            std::string::npos);
  EXPECT_NE(problems_of(with_http("      url: \"http://a/{output.x}\"\n")).find("in \"keep\" alone"),
            std::string::npos);
  EXPECT_NE(problems_of(with_http("      url: \"http://a/{page}\"\n")).find("neither job nor steps"),
            std::string::npos);
  EXPECT_NE(problems_of(with_http("      url: \"http://a/{job}\"\n")).find("names no field"),
            std::string::npos);
}

TEST(WorkflowReader, VariablesGoWhereSecretsMayBe) {
  EXPECT_NE(problems_of(with_http("      url: \"http://a/${ENV:K}\"\n")).find("beginning of a url alone"),
            std::string::npos);
  EXPECT_NE(problems_of(with_http("      method: POST\n      url: \"http://a/\"\n      text: \"${ENV:K}\"\n"))
                .find("cannot have ${ENV:K}"),
            std::string::npos);
}

TEST(WorkflowReader, TheProgramIsNoMatterOfJobs) {
  const auto run = [](const std::string& list) {
    return problems_of("workflow: w\nsteps:\n  - name: a\n    command: {run: " + list + "}\n");
  };
  EXPECT_NE(run("[\"{job.input.x}\"]").find("the program is written out"), std::string::npos);
  EXPECT_NE(run("\"rm -rf /\"").find("run is a list"), std::string::npos);
  EXPECT_NE(run("[]").find("run is a list"), std::string::npos);
  EXPECT_EQ(run("[echo, \"{job.input.x}\"]"), "");
}

TEST(WorkflowReader, HeadersOfTheWorkersOwnAreRefused) {
  EXPECT_NE(problems_of(with_http("      url: \"http://a/\"\n      headers: {idempotency-KEY: x}\n"))
                .find("there can be no header"),
            std::string::npos);
}

TEST(WorkflowReader, NamesOfStepsAreTheirOwn) {
  EXPECT_NE(
      problems_of("workflow: w\nsteps:\n  - {name: a, command: {run: [x]}}\n  - {name: a, command: {run: "
                  "[x]}}\n")
          .find("is called \"a\" as well"),
      std::string::npos);
  EXPECT_NE(
      problems_of("workflow: w\nsteps:\n  - {name: a.b, command: {run: [x]}}\n").find("cannot be a name"),
      std::string::npos);
}

}  // namespace
}  // namespace waybill::worker::steps
