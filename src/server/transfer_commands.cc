#include "server/transfer_commands.h"

#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "api/dynamodb/new_table.h"
#include "transfer/files.h"
#include "transfer/import_source.h"
#include "transfer/table_parameters.h"
#include "transfer/transfers.h"

namespace waybill::server {
namespace {

constexpr auto look_interval = std::chrono::milliseconds(100);
constexpr uint64_t parameters_bytes_max = 1 << 20;

std::optional<std::string> optional_text(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  return value && value->is_string() ? std::optional<std::string>(value->string()) : std::nullopt;
}

// Waits for what a call of the form begin(…, done) begins.
template <typename Ptr, typename Begin>
Result<Ptr> wait_for(Begin begin) {
  std::promise<Result<Ptr>> done;
  auto outcome = done.get_future();
  begin([&done](Result<Ptr> begun) { done.set_value(std::move(begun)); });
  return outcome.get();
}

// Follows a job until it is over. look() gives its newest state, step(job) how far that is.
template <typename Ptr, typename Look, typename Step>
Result<Ptr> follow(Look look, Step step, control::Progress& progress) {
  for (;;) {
    Ptr job = look();
    if (!job) {
      return Error{ErrorKind::internal, "the server has forgotten it", {}};
    }
    if (job->state == transfer::JobState::failed) {
      return invalid(job->failure_message);
    }
    if (!progress.report(step(*job))) {
      return Error{ErrorKind::unavailable, "it goes on in the server", {}};
    }
    if (job->state == transfer::JobState::completed) {
      return job;
    }
    std::this_thread::sleep_for(look_interval);
  }
}

control::Step step_of(std::string_view what, int64_t done, int64_t total) {
  return {std::string(what), static_cast<uint64_t>(done), static_cast<uint64_t>(total)};
}

// What a folder has to import, and what it says of its table.
struct Source {
  std::string folder;
  std::string format;
  std::string parameters;  // empty: it says nothing
};

Result<Source> look_at(const std::string& folder) {
  WAYBILL_TRY_ASSIGN(const auto found, transfer::find_export_folder(folder));
  Source source{found.value_or(folder), "DYNAMODB_JSON", {}};
  WAYBILL_TRY_ASSIGN(const auto files, transfer::list_source(source.folder, {}));
  if (found) {
    const auto description = source.folder + "/table.json";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(description, ignored)) {
      WAYBILL_TRY_ASSIGN(source.parameters, transfer::read_file(description, parameters_bytes_max));
    }
    return source;
  }
  std::size_t tables = 0;
  for (const auto& file : files) {
    const bool is_csv = file.key.find(".csv") != std::string::npos;
    if (!is_csv && file.key.find(".json") == std::string::npos) {
      return invalid("only .json and .csv files, plain or as .gz or .zst, can be imported: " + file.path);
    }
    tables += is_csv ? 1 : 0;
  }
  if (tables != 0 && tables != files.size()) {
    return invalid("there are .json and .csv files in " + source.folder + ": import one kind at a time");
  }
  source.format = tables != 0 ? "CSV" : "DYNAMODB_JSON";
  return source;
}

Result<transfer::ImportPtr> begin_import(const api::dynamodb::Services& services, const json::Value& request,
                                         const Source& source) {
  const auto text = optional_text(request, "parameters").value_or(source.parameters);
  if (text.empty()) {
    return invalid(
        "nothing in " + source.folder +
        " says what the table is like: give --parameters FILE with TableCreationParameters, as for "
        "ImportTable");
  }
  json::Parser parser;
  const auto parameters = parser.parse_copy(text);
  if (!parameters || !parameters->is_object()) {
    return invalid("the parameters of the table are no JSON object");
  }
  const auto name = optional_text(request, "table");
  WAYBILL_TRY_ASSIGN(auto made, api::dynamodb::make_new_table(services, *parameters, name));
  transfer::Import wanted;
  wanted.bucket = wanted.folder = source.folder;
  wanted.format = source.format;
  wanted.csv_delimiter = source.format == "CSV" ? "," : "";
  wanted.parameters = transfer::table_parameters(made.table);
  wanted.table_arn = services.table_arn(made.table.name);
  return wait_for<transfer::ImportPtr>([&](transfer::ImportDone done) {
    services.transfers->begin_import(std::move(made.table), std::move(wanted), std::move(done));
  });
}

transfer::ImportPtr find_running_import(const transfer::Transfers& transfers, const std::string& folder,
                                        const std::optional<std::string>& table) {
  for (const auto& job : transfers.imports()) {
    if (job->state == transfer::JobState::in_progress && job->folder == folder && job->prefix.empty() &&
        (!table || job->table_name == *table)) {
      return job;
    }
  }
  return nullptr;
}

transfer::ExportPtr find_running_export(const transfer::Transfers& transfers, const std::string& folder,
                                        const std::string& table, const std::optional<int64_t>& time_ms) {
  for (const auto& job : transfers.exports()) {
    if (job->state == transfer::JobState::in_progress && job->folder == folder && job->table_name == table &&
        (!time_ms || job->held.moment_ms == *time_ms)) {
      return job;
    }
  }
  return nullptr;
}

Result<transfer::ExportPtr> begin_export(const api::dynamodb::Services& services, const std::string& folder,
                                         store::WantedPast past) {
  transfer::Export wanted;
  wanted.bucket = wanted.folder = folder;
  wanted.table_arn = services.table_arn(past.table);
  past.without_recovery = true;
  return wait_for<transfer::ExportPtr>([&](transfer::ExportDone done) {
    services.transfers->begin_export(std::move(past), std::move(wanted), std::move(done));
  });
}

}  // namespace

Result<std::string> export_table(const api::dynamodb::Services& services, const json::Value& request,
                                 control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto table, control::text_member(request, "table"));
  WAYBILL_TRY_ASSIGN(const auto folder, control::text_member(request, "folder"));
  const auto time = request.find("time_ms");
  const auto time_ms = time ? time->integer() : std::nullopt;
  auto job = find_running_export(*services.transfers, folder, table, time_ms);
  if (!job) {
    WAYBILL_TRY_ASSIGN(job, begin_export(services, folder, {table, time_ms, false}));
  }
  WAYBILL_TRY_ASSIGN(job, follow<transfer::ExportPtr>(
                              [&] { return services.transfers->find_export(job->id); },
                              [](const transfer::Export& now) {
                                const bool over = now.state == transfer::JobState::completed;
                                return step_of("exporting", now.bytes,
                                               over ? now.bytes : std::max(now.total_bytes, now.bytes));
                              },
                              progress));
  std::string text;
  json::Writer out(text);
  out.begin_object().key("folder").string(job->folder + "/AWSDynamoDB/" + job->id);
  out.key("time_ms").integer(job->held.moment_ms);
  out.key("items").integer(job->items).key("files").integer(job->files);
  out.key("bytes").integer(job->bytes).end_object();
  return text;
}

Result<std::string> import_table(const api::dynamodb::Services& services, const json::Value& request,
                                 control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto folder, control::text_member(request, "folder"));
  WAYBILL_TRY_ASSIGN(const auto source, look_at(folder));
  auto job = find_running_import(*services.transfers, source.folder, optional_text(request, "table"));
  if (!job) {
    WAYBILL_TRY_ASSIGN(job, begin_import(services, request, source));
  }
  WAYBILL_TRY_ASSIGN(
      job, follow<transfer::ImportPtr>([&] { return services.transfers->find_import(job->id); },
                                       [](const transfer::Import& now) {
                                         return step_of("importing", now.done_bytes, now.total_bytes);
                                       },
                                       progress));
  std::string text;
  json::Writer out(text);
  out.begin_object().key("table").string(job->table_name);
  out.key("items").integer(job->items).key("errors").integer(job->error_count);
  out.key("errors_file")
      .string(job->folder + "/" + std::string(transfer::import_errors_folder) + "/" + job->id + ".json");
  out.end_object();
  return text;
}

}  // namespace waybill::server
