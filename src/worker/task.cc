#include "worker/task.h"

#include "base/log.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

// A lease that is lost ends a call long before that.
constexpr int64_t patience_ms = 120'000;

std::string value_of(const json::Value& record, std::string_view field) {
  const auto found = record.find(field);
  if (!found) {
    return {};
  }
  if (found->is_string()) {
    return std::string(found->string());
  }
  const auto number = found->type() == json::Type::number ? found->integer() : std::nullopt;
  return number ? std::to_string(*number) : std::string();
}

}  // namespace

std::string filled_in(std::string_view text, const json::Value& record) {
  std::string filled;
  while (!text.empty()) {
    const auto open = text.find('{');
    filled += text.substr(0, open);
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      return filled + std::string(open == std::string_view::npos ? "" : text.substr(open));
    }
    const auto value = value_of(record, text.substr(open + 1, close - open - 1));
    if (value.empty()) {
      return {};
    }
    filled += value;
    text.remove_prefix(close + 1);
  }
  return filled;
}

std::string words_for(const client::Served& served, const client::Job& job) {
  std::string words = served.contract + "/" + served.record + "/" + job.id();
  for (const auto& field : served.trace) {
    if (const auto value = job.text(field); !value.empty()) {
      words.append(" ").append(field).append("=").append(value);
    }
  }
  return words;
}

std::string Task::setting(std::string_view name) const {
  const auto found = parts_.served.settings.find(name);
  return found == parts_.served.settings.end() ? std::string()
                                               : filled_in(found->second, parts_.job.record());
}

client::Calling Task::calling() const {
  return {.stop = parts_.stop, .patience_ms = patience_ms};
}

Result<client::ObjectInfo> Task::fetch(const client::ObjectName& from, const std::string& to,
                                       const std::string& what, const client::GetOptions& options) {
  auto info = parts_.objects.get(from, to, options, calling());
  if (!info) {
    return object_trouble(info.error(), what);
  }
  return info;
}

Result<client::ObjectInfo> Task::read(const client::ObjectName& from, client::ByteTaker& taker,
                                      const std::string& what) {
  auto info = parts_.objects.read(from, taker, {}, calling());
  if (!info) {
    return object_trouble(info.error(), what);
  }
  return info;
}

Result<client::ObjectInfo> Task::store(const std::string& from, const client::ObjectName& to,
                                       const std::string& what, const client::PutOptions& options) {
  auto info = parts_.objects.put(to, from, options, calling());
  if (!info && info.error().kind == ErrorKind::not_found) {
    if (auto made = parts_.objects.make_bucket(to.bucket, calling()); !made) {
      return object_trouble(made.error(), what);
    }
    info = parts_.objects.put(to, from, options, calling());
  }
  if (!info) {
    return object_trouble(info.error(), what);
  }
  return info;
}

Status Task::progress(std::string_view fields) {
  return parts_.jobs.progress(parts_.job, fields, calling());
}

Status Task::step(std::string_view step, std::string_view fields, std::string_view spend) {
  return parts_.jobs.step(parts_.job, step, fields, spend, calling());
}

void Task::log(std::string_view text) const {
  log_info(std::string(text) + ": " + words_for(parts_.served, parts_.job));
}

}  // namespace waybill::worker
