#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "worker/steps/pattern.h"

// What a workflow's file says. Plain data.
namespace waybill::worker::steps {

// A piece of JSON whose texts are patterns. A text that is one value alone becomes that value, whatever it
// is.
struct JsonPattern {
  enum class Kind : unsigned char { literal, text, list, map };

  Kind kind = Kind::literal;
  std::string literal;             // JSON
  Pattern text = {};               // of a text
  std::vector<std::string> names;  // of a map; as many as there are items
  std::vector<JsonPattern> items;  // of a list or a map
};

// A request to another service.
struct HttpCall {
  std::string method = "GET";
  Pattern url;
  std::vector<std::pair<std::string, Pattern>> headers;
  std::optional<JsonPattern> json;  // the body; or
  std::optional<Pattern> text;
  std::set<int64_t> expect;    // statuses; empty: any 2xx
  std::set<int64_t> retry_on;  // besides those that may pass anyway
};

// A program of the worker's machine.
struct Command {
  std::vector<Pattern> run;  // the program, as it is written, and its arguments
  std::vector<std::pair<std::string, Pattern>> environment;
  std::optional<Pattern> input;
  std::set<int64_t> expect;    // exit codes; empty: 0
  std::set<int64_t> retry_on;  // besides those that may pass anyway
  std::set<int64_t> final_on;  // would come again
};

struct Step {
  std::string name;
  std::variant<HttpCall, Command> work;
  int64_t timeout_s = 60;
  int64_t retries = 0;              // within one attempt at the job
  std::string credits = "0";        // what it costs, as a number
  std::optional<JsonPattern> keep;  // what is left of it; absent: all, up to a bound
  enum class Output : unsigned char { any, json, text };
  Output output = Output::any;  // what it must give
};

struct Workflow {
  std::string name;
  std::vector<Step> steps;
  std::string folder;  // where its file is: programs that begin with "./" are there

  // What all steps cost together.
  std::string credits_total = "0";
};

}  // namespace waybill::worker::steps
