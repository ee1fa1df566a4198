#include "cli/tour/guide.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/progress_bar.h"
#include "client/calling.h"
#include "client/connection.h"

namespace waybill::cli::tour {
namespace {

constexpr int64_t patience_ms = 60'000;
constexpr int64_t look_every_ms = 20;
constexpr std::size_t label_width = 15;

// A file that is gone with its object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& word)
      : path_((std::filesystem::temp_directory_path() / ("waybill-tour-" + word)).string()) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  bool write(std::string_view content) const {
    std::ofstream file(path_, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    return file.good();
  }

 private:
  const std::string path_;
};

std::string text_of(const json::Value& value) {
  switch (value.type()) {
    case json::Type::string:
      return std::string(value.string());
    case json::Type::number: {
      if (const auto whole = value.integer()) {
        return std::to_string(*whole);
      }
      std::array<char, 32> text;
      const int length = std::snprintf(text.data(), text.size(), "%.2f", value.number());
      return {text.data(), static_cast<std::size_t>(length)};
    }
    case json::Type::boolean:
      return value.boolean() ? "true" : "false";
    default:
      return {};
  }
}

// "queued -> running  [workflow_run_started]  by worker-1"
std::string line_of(const json::Value& row) {
  const auto from = text_in(row, "from");
  const auto to = text_in(row, "to");
  std::string line = to.empty() ? text_in(row, "action") : from.empty() ? to : from + " -> " + to;
  if (const auto event = text_in(row, "event"); !event.empty()) {
    line += "  [" + event + "]";
  }
  return line + "  by " + text_in(row, "actor");
}

Error is_left_alone(const std::string& url, const std::string& state) {
  return Error{ErrorKind::unavailable,
               url + " is still " + state +
                   " after a minute: does anybody work on it? Servers run workers unless --workers none",
               {}};
}

}  // namespace

Result<Record> Record::read(std::string_view body) {
  Record made;
  made.parser_ = std::make_unique<json::Parser>();
  WAYBILL_TRY_ASSIGN(made.fields_, made.parser_->parse_copy(body));
  if (!made.fields_.is_object()) {
    return Error{
        ErrorKind::malformed, "the server's answer is no JSON object: is this a Waybill server?", {}};
  }
  return made;
}

std::string text_in(const json::Value& object, std::string_view member) {
  const auto found = object.find(member);
  return found ? text_of(*found) : std::string();
}

Result<Guide> Guide::open(const std::string& endpoint, const Clock& clock, Entropy& entropy) {
  client::Connection connection;
  WAYBILL_TRY_ASSIGN(connection.endpoint, client::read_endpoint("--endpoint", endpoint));
  connection.key = client::find_key();
  connection.region = client::find_region();
  connection.actor = "tour";
  connection.clock = &clock;
  WAYBILL_TRY_ASSIGN(auto jobs, client::JobsClient::open(connection));
  WAYBILL_TRY_ASSIGN(auto objects, client::ObjectClient::open(connection));
  return Guide(std::move(connection), std::move(jobs), std::move(objects), entropy);
}

Status Guide::expect_worker(const std::string& contract) {
  auto served = jobs_.list_served();
  if (!served) {
    return Error{served.error().kind,
                 "no answer from " + connection_.endpoint + ": " + served.error().message +
                     ". Start a server with: waybill serve --contracts contracts",
                 {}};
  }
  if (std::ranges::none_of(*served, [&](const auto& one) { return one.contract == contract; })) {
    return Error{
        ErrorKind::not_found,
        "contract " + contract + " is not in force at " + connection_.endpoint +
            ", or names no built-in worker. Start the server with: waybill serve --contracts contracts",
        {}};
  }
  return {};
}

void Guide::say(const std::string& line) const {
  std::cout << line << "\n" << std::flush;
}

void Guide::tell(std::string_view label, const std::string& text) const {
  std::string line = "  " + std::string(label);
  line.resize(std::max(line.size() + 1, label_width), ' ');
  say(line + text);
}

std::string Guide::new_word() {
  constexpr std::string_view letters = "abcdefghijkmnpqrstuvwxyz23456789";
  std::string word;
  for (uint64_t rest = entropy_->next(); word.size() < 8; rest /= letters.size()) {
    word += letters[rest % letters.size()];
  }
  return word;
}

Result<Record> Guide::create_once(const std::string& path, const std::string& fields,
                                  const std::string& key) {
  WAYBILL_TRY_ASSIGN(const auto body, jobs_.create(path, fields, key));
  return Record::read(body);
}

Result<Record> Guide::get(const std::string& path) {
  WAYBILL_TRY_ASSIGN(const auto body, jobs_.get(path, {.patience_ms = patience_ms}));
  return Record::read(body);
}

Status Guide::upload(const client::ObjectName& name, std::string_view content, const std::string& type) {
  const TemporaryFile file(new_word());
  if (!file.write(content)) {
    return Error{ErrorKind::internal, "cannot write " + file.path() + ": is TMPDIR full, or not yours?", {}};
  }
  WAYBILL_TRY(objects_.put(name, file.path(), {.content_type = type}));
  tell("upload", readable_bytes(content.size()) + " to " + client::text_of(name));
  return {};
}

Status Guide::look_at(std::string_view label, const client::ObjectName& name) {
  WAYBILL_TRY_ASSIGN(const auto info, objects_.head(name));
  tell(label, readable_bytes(static_cast<uint64_t>(info.bytes)) + ", " + info.content_type + ", " +
                  connection_.endpoint + "/objects/" + name.bucket + "/" + name.key);
  return {};
}

Result<Record> Guide::wait_for(const std::string& path, const std::string& state_field,
                               const std::vector<std::string>& states) {
  const int64_t begun_ms = connection_.clock->steady_ms();
  while (true) {
    WAYBILL_TRY_ASSIGN(auto record, get(path));
    const auto state = record.text(state_field);
    const int64_t passed_ms = connection_.clock->steady_ms() - begun_ms;
    if (std::ranges::find(states, state) != states.end()) {
      tell(state, "after " + std::to_string(passed_ms) + " ms");
      return record;
    }
    if (passed_ms > patience_ms) {
      return is_left_alone(connection_.endpoint + path, state);
    }
    client::sleep_unless_stopped(look_every_ms, {});
  }
}

Status Guide::tell_history(const std::string& path) {
  WAYBILL_TRY_ASSIGN(const auto history, get(path + ":history?order=oldest&limit=100"));
  const auto items = history.fields().find("items");
  if (items && items->is_array()) {
    bool is_first = true;
    for (json::Elements rows(*items); rows.next(); is_first = false) {
      tell(is_first ? "history" : "", line_of(rows.value()));
    }
  }
  tell("record", connection_.endpoint + path);
  return {};
}

}  // namespace waybill::cli::tour
