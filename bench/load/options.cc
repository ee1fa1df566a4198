#include "load/options.h"

// The only file that includes it: it takes seconds to compile.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "load/message.h"

namespace waybill::load {
namespace {

struct Texts {
  std::string operation;
  std::string target;
};

void add_options(CLI::App& app, Options& options, Texts& texts) {
  app.add_option(
      "operation", texts.operation,
      "create, load, get, put, put_new, update, delete, query, transact_write, batch_write, "
      "batch_get, scan or raw; on a queue create, load, round_trip, steps (send, receive, delete) or wake; "
      "on jobs load, load_finished, lifecycle, claim_latency or ask; "
      "self_test tries the generator itself");
  app.add_option(
      "--target", texts.target,
      "http://HOST:PORT, sqs://HOST:PORT, jobs://HOST:PORT or postgres://HOST:PORT/DATABASE?user=NAME");
  app.add_option("--table", options.table,
                 "Or the queue, or the contract and the record of jobs: orchestrator/job")
      ->capture_default_str();
  app.add_option("--message-bytes", options.message_bytes, "Size of a message's body")
      ->check(CLI::Range(message_bytes_min, message_bytes_max))
      ->capture_default_str();
  app.add_option("--connections", options.connections)->check(CLI::Range(1, 20'000))->capture_default_str();
  app.add_option("--batch", options.batch,
                 "lifecycle: so many workers share each connection and send what they want in batches")
      ->check(CLI::Range(1, 100));
  app.add_option("--seconds", options.seconds, "How long to measure")->capture_default_str();
  app.add_option("--warmup", options.warmup_seconds, "Seconds before measuring")->capture_default_str();
  app.add_option("--requests", options.requests, "Measure so many requests instead of --seconds");
  app.add_option("--items", options.items, "How many items the table is loaded with, numbered from 0")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--users", options.users, "Over how many users they are spread; 0: a twentieth of --items");
  app.add_option("--first", options.first, "First item of the region to work on")->capture_default_str();
  app.add_option("--count", options.count, "Size of the region; 0: to the end. load: how many, 0: --items");
  app.add_option("--round", options.round, "put_new and messages: each round makes ids of its own")
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Open loop: requests a second; 0: closed loop")
      ->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--check-every", options.check_every, "Check every so manieth answer in full")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--state", options.state_file,
                 "File that carries the status of each item from run to run; without it every run takes the "
                 "table to be freshly loaded")
      ->type_name("FILE");
  app.add_option("--paths", options.paths_file, "ask: file with the paths that are read, one a line")
      ->type_name("FILE");
  app.add_flag("--self-check", options.self_check)->group("");
}

Start refuse(const std::string& text) {
  std::cerr << "waybill_load: " << text << "\n";
  return Start::end_badly;
}

Start finish(const Texts& texts, Options& options) {
  if (texts.operation == "self_test") {
    options.self_test = true;
    return Start::run;
  }
  const auto operation = operation_named(texts.operation);
  if (!operation) {
    return refuse("no such operation: '" + texts.operation + "'; see --help");
  }
  auto target = parse_target(texts.target);
  if (!target) {
    return refuse(target.error().message);
  }
  options.operation = *operation;
  options.target = *std::move(target);
  const bool is_load = options.operation == Operation::load;
  if (options.users == 0) {
    options.users = std::max<uint64_t>(options.items / 20, 1);
  }
  if (options.count == 0) {
    options.count = is_load ? options.items : options.items - std::min(options.first, options.items);
  }
  if (is_load) {
    options.items = std::max(options.items, options.first + options.count);
  }
  constexpr uint64_t region_max = UINT32_MAX;
  const bool inside = options.count > 0 && options.first + options.count <= options.items;
  return inside && options.items <= region_max ? Start::run
                                               : refuse("--first and --count must lie within --items");
}

}  // namespace

Start read_options(int count, char** values, Options& options) {
  CLI::App app("Puts load on a server that speaks DynamoDB's, SQS's or PostgreSQL's protocol and measures it",
               "waybill_load");
  Texts texts;
  add_options(app, options, texts);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cerr, std::cerr) == 0 ? Start::end_well : Start::end_badly;
  }
  return finish(texts, options);
}

}  // namespace waybill::load
