#include "cli/transfer_commands.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "base/json.h"
#include "base/result.h"
#include "cli/progress_bar.h"
#include "control/client.h"

namespace waybill::cli {

namespace {

int fail(const Error& error) {
  std::cerr << "waybill: " << error.message << "\n";
  return 1;
}

// The server may stand in another directory than this command. Without a slash at its end: the same folder is
// always called the same.
std::string absolute(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).string();
}

// A number of so many digits, then `behind`; moves `text` on.
std::optional<int> take_number(std::string_view& text, std::size_t digits, char behind) {
  int value = 0;
  const auto end = text.data() + digits;
  if (text.size() <= digits || std::from_chars(text.data(), end, value).ptr != end ||
      text[digits] != behind) {
    return std::nullopt;
  }
  text.remove_prefix(digits + 1);
  return value;
}

// "2026-11-16T08:00:00Z" as milliseconds since 1970.
std::optional<int64_t> parse_time(std::string_view text) {
  namespace chrono = std::chrono;
  const auto year = take_number(text, 4, '-');
  const auto month = take_number(text, 2, '-');
  const auto day = take_number(text, 2, 'T');
  const auto hour = take_number(text, 2, ':');
  const auto minute = take_number(text, 2, ':');
  const auto second = take_number(text, 2, 'Z');
  if (!year || !month || !day || !hour || !minute || !second || !text.empty()) {
    return std::nullopt;
  }
  const chrono::year_month_day date{chrono::year(*year), chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) {
    return std::nullopt;
  }
  const chrono::sys_seconds moment =
      chrono::sys_days(date) + chrono::hours(*hour) + chrono::minutes(*minute) + chrono::seconds(*second);
  return chrono::milliseconds(moment.time_since_epoch()).count();
}

Result<std::string> export_request(const TransferOptions& options) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("command").string("export").key("table").string(options.table);
  out.key("folder").string(absolute(options.folder));
  if (!options.time.empty()) {
    const auto time_ms = parse_time(options.time);
    if (!time_ms) {
      return invalid("--time takes a moment like 2026-11-16T08:00:00Z; got '" + options.time + "'");
    }
    out.key("time_ms").integer(*time_ms);
  }
  out.end_object();
  return text;
}

Result<std::string> import_request(const TransferOptions& options) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("command").string("import").key("folder").string(absolute(options.folder));
  if (!options.table.empty()) {
    out.key("table").string(options.table);
  }
  if (!options.parameters_file.empty()) {
    std::ifstream file(options.parameters_file, std::ios::binary);
    const std::string parameters{std::istreambuf_iterator<char>(file), {}};
    if (!file || parameters.empty()) {
      return invalid("cannot read " + options.parameters_file);
    }
    out.key("parameters").string(parameters);
  }
  out.end_object();
  return text;
}

// The server's answer, while the bar shows how far it is.
Result<std::string> ask(const TransferOptions& options, const Result<std::string>& request) {
  if (!request) {
    return request.error();
  }
  ProgressBar bar;
  return control::call(options.data_dir, *request, [&](const control::Step& step) {
    if (step.total > 0) {
      bar.show(step.what, step.done, step.total,
               readable_bytes(step.done) + " of " + readable_bytes(step.total));
    }
  });
}

uint64_t number_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? static_cast<uint64_t>(value->integer().value_or(0)) : 0;
}

std::string_view text_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is_string() ? value->string() : std::string_view();
}

std::string counted(uint64_t count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}

}  // namespace

int run_export(const TransferOptions& options) {
  const auto answer = ask(options, export_request(options));
  if (!answer) {
    return fail(answer.error());
  }
  json::Parser parser;
  const auto made = parser.parse_copy(*answer);
  if (!made) {
    return fail(made.error());
  }
  std::cout << options.table << " is exported: " << counted(number_in(*made, "items"), "item") << ", "
            << readable_bytes(number_in(*made, "bytes")) << ", in "
            << counted(number_in(*made, "files"), "file") << "\n"
            << text_in(*made, "folder") << "\n";
  return 0;
}

int run_import(const TransferOptions& options) {
  const auto answer = ask(options, import_request(options));
  if (!answer) {
    return fail(answer.error());
  }
  json::Parser parser;
  const auto made = parser.parse_copy(*answer);
  if (!made) {
    return fail(made.error());
  }
  std::cout << text_in(*made, "table") << " is imported: " << counted(number_in(*made, "items"), "item")
            << "\n";
  if (const auto errors = number_in(*made, "errors"); errors > 0) {
    std::cout << counted(errors, "record") << " could not be imported; see " << text_in(*made, "errors_file")
              << "\n";
  }
  return 0;
}

}  // namespace waybill::cli
