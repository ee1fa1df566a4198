#include "cli/migrate_command.h"

#include <fstream>
#include <iostream>
#include <iterator>

#include "base/json.h"
#include "base/result.h"
#include "cli/progress_bar.h"
#include "control/client.h"

namespace waybill::cli {

namespace {

int fail(const std::string& text) {
  std::cerr << "waybill: " << text << "\n";
  return 1;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}

int64_t number_of(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? value->integer().value_or(0) : 0;
}

std::string counted(int64_t count) {
  return std::to_string(count) + (count == 1 ? " record" : " records");
}

Status write_contract(json::Writer& out, const MigrateOptions& options) {
  if (options.contract_file.empty()) {
    return {};
  }
  std::ifstream file(options.contract_file, std::ios::binary);
  if (!file) {
    return invalid("the file " + options.contract_file + " cannot be read");
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  out.key("contract").begin_object().key("file").string(options.contract_file).key("text").string(text);
  out.key("parameters").begin_object();
  for (const auto& parameter : options.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) {
      return invalid("--parameter " + parameter + ": write NAME=VALUE, as in env=prod");
    }
    out.key(parameter.substr(0, equals)).string(parameter.substr(equals + 1));
  }
  out.end_object().end_object();
  return {};
}

void write_list(json::Writer& out, std::string_view name, const std::vector<std::string>& texts,
                std::size_t first) {
  out.key(name).begin_array();
  for (std::size_t i = first; i < texts.size(); ++i) {
    out.string(texts[i]);
  }
  out.end_array();
}

Status write_wanted(json::Writer& out, const MigrateOptions& options) {
  const auto given = [](const std::string& text) { return text.empty() ? 0 : 1; };
  if (given(options.rename) + given(options.add) + given(options.remove) + (options.key.empty() ? 0 : 1) !=
      1) {
    return invalid(
        "say one of --rename OLD=NEW, --add FIELD=VALUE, --remove FIELD and --key TABLE PK=… SK=…");
  }
  if (!options.rename.empty()) {
    out.key("rename").string(options.rename);
  } else if (!options.add.empty()) {
    out.key("add").string(options.add).key("having").string(options.having);
  } else if (!options.remove.empty()) {
    out.key("remove").string(options.remove);
  } else {
    out.key("key").string(options.key.front());
    write_list(out, "make", options.key, 1);
    write_list(out, "back", options.back, 0);
  }
  return {};
}

std::string command_for(const std::string& action) {
  const bool is_own = action == "start" || action == "status" || action == "verify";
  return is_own ? "migrate-" + action : std::string("migrate-step");
}

Result<std::string> request_for(const MigrateOptions& options) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("command").string(command_for(options.action)).key("step").string(options.action);
  if (!options.table.empty()) {
    out.key("table").string(options.table);
  }
  if (options.action == "start") {
    WAYBILL_TRY(write_wanted(out, options));
  }
  if (options.rate) {
    out.key("rate").integer(*options.rate);
  }
  WAYBILL_TRY(write_contract(out, options));
  out.end_object();
  return text;
}

void print(const json::Value& migration) {
  std::cout << text_of(migration, "table") << ": " << text_of(migration, "what") << "\n  "
            << text_of(migration, "step");
  if (number_of(migration, "seen") > 0) {
    std::cout << ", " << number_of(migration, "seen") << " of " << counted(number_of(migration, "total"))
              << " seen, " << number_of(migration, "changed") << " changed";
  }
  std::cout << "; " << text_of(migration, "next") << "\n";
  if (const auto refused = number_of(migration, "refused"); refused > 0) {
    std::cout << "  " << counted(refused) << " could not be changed: " << text_of(migration, "complaint")
              << "\n";
  }
}

int print_findings(const json::Value& findings) {
  const auto disagreeing = number_of(findings, "disagreeing");
  if (disagreeing > 0) {
    std::cout << disagreeing << " of " << counted(number_of(findings, "records"))
              << " are not as they should be, one of them under " << text_of(findings, "example") << "\n";
  } else {
    std::cout << counted(number_of(findings, "records")) << ": all agree\n";
  }
  print(*findings.find("migration"));
  return disagreeing > 0 ? 1 : 0;
}

int print_all(const json::Value& answer) {
  const auto listed = *answer.find("migrations");
  for (json::Elements migrations(listed); migrations.next();) {
    print(migrations.value());
  }
  if (listed.size() == 0) {
    std::cout << "no migrations\n";
  }
  return 0;
}

Result<std::string> ask(const MigrateOptions& options, const std::string& request) {
  ProgressBar bar;
  return control::call(options.data_dir, request, [&](const control::Step& step) {
    if (step.total > 0) {
      bar.show(step.what, step.done, step.total,
               std::to_string(step.done) + " of " + counted(static_cast<int64_t>(step.total)));
    }
  });
}

}  // namespace

int run_migrate(const MigrateOptions& options) {
  const auto request = request_for(options);
  const auto answer = request ? ask(options, *request) : request;
  if (!answer) {
    return fail(answer.error().message);
  }
  json::Parser parser;
  const auto told = parser.parse_copy(*answer);
  if (!told) {
    return fail(told.error().message);
  }
  if (options.as_json) {
    std::cout << *answer << "\n";
    return number_of(*told, "disagreeing") > 0 ? 1 : 0;
  }
  if (options.action == "verify") {
    return print_findings(*told);
  }
  if (options.action == "status") {
    return print_all(*told);
  }
  print(*told);
  return 0;
}

}  // namespace waybill::cli
