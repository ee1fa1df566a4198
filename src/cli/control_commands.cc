#include "cli/control_commands.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/json.h"
#include "base/result.h"
#include "control/client.h"

namespace waybill::cli {

namespace {

int fail(const std::string& text) {
  std::cerr << "waybill: " << text << "\n";
  return 1;
}

Result<std::string> ask(const ControlOptions& options, const std::string& request) {
  return control::call(options.data_dir, request, [](const control::Step&) {});
}

Result<std::string> request_to_apply(const ControlOptions& options, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return invalid("the file " + path + " cannot be read");
  }
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string text;
  json::Writer out(text);
  out.begin_object()
      .key("command")
      .string("contract-apply")
      .key("file")
      .string(path)
      .key("text")
      .string(content);
  out.key("parameters").begin_object();
  for (const auto& parameter : options.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) {
      return invalid("--parameter " + parameter + ": write NAME=VALUE, as in env=prod");
    }
    out.key(parameter.substr(0, equals)).string(parameter.substr(equals + 1));
  }
  out.end_object().end_object();
  return text;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}

int64_t number_of(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? value->integer().value_or(0) : 0;
}

// Of the walk over records that were there before the contract; nothing where there were none.
void print_adoption(const json::Value& adoption) {
  const int64_t seen = number_of(adoption, "seen");
  const int64_t unfit = number_of(adoption, "unfit");
  const auto done = adoption.find("done");
  if (done && !done->boolean()) {
    std::cout << "  records that were there before it are being gone over: " << seen << " so far\n";
  }
  if (unfit > 0) {
    std::cout << "  " << unfit << " of the " << seen
              << " that were there before it are not as it says: " << text_of(adoption, "complaint") << "\n";
  }
}

void print_contract(const json::Value& contract) {
  std::cout << text_of(contract, "contract") << " version " << number_of(contract, "version") << ", table "
            << text_of(contract, "table") << ", " << text_of(contract, "enforcement") << "\n";
  const auto records = contract.find("records");
  for (json::Members kinds(*records); kinds.next();) {
    std::cout << "  " << kinds.key() << ":";
    for (json::Members states(kinds.value()); states.next();) {
      std::cout << " " << states.key() << " " << states.value().integer().value_or(0);
    }
    std::cout << "\n";
  }
  if (const auto adoption = contract.find("adoption")) {
    print_adoption(*adoption);
  }
}

}  // namespace

int run_contract_apply(const ControlOptions& options) {
  for (const auto& path : options.files) {
    const auto request = request_to_apply(options, path);
    const auto answer = request ? ask(options, *request) : request;
    if (!answer) {
      return fail(answer.error().message);
    }
    json::Parser parser;
    const auto applied = parser.parse_copy(*answer);
    std::cout << text_of(*applied, "contract") << " version " << number_of(*applied, "version")
              << " is in force, table " << text_of(*applied, "table") << "\n";
  }
  return 0;
}

int run_contract_withdraw(const ControlOptions& options) {
  std::string request;
  json::Writer out(request);
  out.begin_object()
      .key("command")
      .string("contract-withdraw")
      .key("contract")
      .string(options.contract)
      .end_object();
  if (const auto answer = ask(options, request); !answer) {
    return fail(answer.error().message);
  }
  std::cout << options.contract << " is out of force; its table and its records stay\n";
  return 0;
}

int run_contract_list(const ControlOptions& options) {
  const auto answer = ask(options, R"({"command":"contract-list"})");
  if (!answer) {
    return fail(answer.error().message);
  }
  if (options.as_json) {
    std::cout << *answer << "\n";
    return 0;
  }
  json::Parser parser;
  const auto listed = parser.parse_copy(*answer);
  for (json::Elements contracts(*listed->find("contracts")); contracts.next();) {
    print_contract(contracts.value());
  }
  return 0;
}

int run_audit_verify(const ControlOptions& options) {
  std::string request;
  json::Writer out(request);
  out.begin_object().key("command").string("audit-verify");
  if (!options.contract.empty()) {
    out.key("contract").string(options.contract);
  }
  out.end_object();
  const auto answer = ask(options, request);
  if (!answer) {
    return fail(answer.error().message);
  }
  json::Parser parser;
  const auto found = parser.parse_copy(*answer);
  const auto faults = *found->find("faults");
  if (options.as_json) {
    std::cout << *answer << "\n";
    return faults.size() == 0 ? 0 : 1;
  }
  for (json::Elements list(faults); list.next();) {
    std::cout << list.value().string() << "\n";
  }
  std::cout << number_of(*found, "trails") << " trails, " << number_of(*found, "lines") << " lines: "
            << (faults.size() == 0 ? "all as they were written"
                                   : std::to_string(faults.size()) + " of them are not as they were written")
            << "\n";
  return faults.size() == 0 ? 0 : 1;
}

int run_event_parked(const ControlOptions& options) {
  std::string request;
  json::Writer out(request);
  out.begin_object().key("command").string("event-parked");
  if (!options.contract.empty()) {
    out.key("contract").string(options.contract);
  }
  out.end_object();
  const auto answer = ask(options, request);
  if (!answer) {
    return fail(answer.error().message);
  }
  if (options.as_json) {
    std::cout << *answer << "\n";
    return 0;
  }
  json::Parser parser;
  const auto listed = parser.parse_copy(*answer);
  const auto parked = *listed->find("events");
  for (json::Elements events(parked); events.next();) {
    const auto& event = events.value();
    std::cout << text_of(event, "number") << " " << text_of(event, "record") << " " << text_of(event, "type")
              << " " << text_of(event, "at") << "\n  " << text_of(event, "why") << "\n";
  }
  if (parked.size() == 0) {
    std::cout << "no event is parked\n";
  }
  return 0;
}

int run_event_retry(const ControlOptions& options) {
  if (options.number.empty() != options.all) {
    return fail("say the number of an event, or --all");
  }
  std::string request;
  json::Writer out(request);
  out.begin_object().key("command").string("event-retry").key("contract").string(options.contract);
  if (!options.all) {
    out.key("number").string(options.number);
  }
  out.end_object();
  const auto answer = ask(options, request);
  if (!answer) {
    return fail(answer.error().message);
  }
  json::Parser parser;
  const auto count = number_of(*parser.parse_copy(*answer), "count");
  std::cout << count << (count == 1 ? " event is" : " events are") << " told again\n";
  return 0;
}

}  // namespace waybill::cli
