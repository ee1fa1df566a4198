#include "cli/cost_command.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "control/client.h"
#include "cost/columns.h"
#include "cost/measured_json.h"
#include "cost/prices.h"
#include "cost/report.h"

namespace waybill::cli {

namespace {

Result<cost::Prices> prices_for(const CostOptions& options) {
  if (options.prices_file.empty()) {
    return cost::built_in_prices();
  }
  std::ifstream file(options.prices_file);
  if (!file) {
    return invalid("the price file " + options.prices_file + " can't be read");
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return cost::parse_prices(text, options.prices_file);
}

Result<std::string> ask(const CostOptions& options, std::string_view command) {
  std::string request;
  json::Writer out(request);
  out.begin_object().key("command").string(command);
  if (options.days > 0) {
    out.key("days").integer(options.days);
  }
  if (!options.table.empty()) {
    out.key("table").string(options.table);
  }
  out.end_object();
  return control::call(options.data_dir, request, [](const control::Step&) {});
}

// A minute as the server tells it, [minute,units,requests,peak,units,requests,peak], in words.
std::vector<std::string> minute_row(const std::string& name, const json::Value& minute) {
  std::vector<std::string> row = {name};
  for (json::Elements numbers(minute); numbers.next();) {
    const auto& number = numbers.value();
    const bool is_requests = row.size() == 3 || row.size() == 6;
    row.push_back(row.size() == 1 ? cost::utc_minute(number.integer().value_or(0))
                                  : cost::grouped(number.number(), is_requests ? 0 : 1));
  }
  return row;
}

std::string minutes_text(const json::Value& answer) {
  std::vector<std::vector<std::string>> rows = {{"", "minute (UTC)", "read units", "reads", "busiest second",
                                                 "write units", "writes", "busiest second"}};
  if (const auto parts = answer.find("parts")) {
    for (json::Elements part(*parts); part.next();) {
      const auto name = part.value().find("name");
      const auto minutes = part.value().find("minutes");
      for (json::Elements minute(*minutes); minute.next();) {
        rows.push_back(minute_row(std::string(name->string()), minute.value()));
      }
    }
  }
  return cost::in_columns(rows, 2);
}

Result<std::string> minutes_report(const CostOptions& options) {
  WAYBILL_TRY_ASSIGN(auto answer, ask(options, "minutes"));
  if (options.as_json) {
    return answer + "\n";
  }
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto parsed, parser.parse_copy(answer));
  return minutes_text(parsed);
}

Result<std::string> cost_report(const CostOptions& options) {
  WAYBILL_TRY_ASSIGN(const auto prices, prices_for(options));
  WAYBILL_TRY_ASSIGN(const auto answer, ask(options, "usage"));
  WAYBILL_TRY_ASSIGN(const auto tables, cost::measured_from_json(answer));
  return options.as_json ? cost::json_report(tables, prices) + "\n" : cost::text_report(tables, prices);
}

}  // namespace

int run_cost(const CostOptions& options) {
  const auto report = options.by_minute ? minutes_report(options) : cost_report(options);
  if (!report) {
    std::cerr << "waybill: " << report.error().message << "\n";
    return 1;
  }
  std::cout << *report;
  return 0;
}

}  // namespace waybill::cli
