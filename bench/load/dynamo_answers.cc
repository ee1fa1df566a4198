#include "load/dynamo_answers.h"

#include <charconv>

#include "load/job_json.h"

namespace waybill::load {
namespace {

std::optional<json::Value> find(const json::Value& value, std::string_view name, std::string_view type) {
  auto found = value.is_object() ? value.find(name) : std::nullopt;
  return found && found->is_object() ? found->find(type) : std::nullopt;
}

std::string_view text_of(const json::Value& item, std::string_view name, std::string_view type) {
  const auto value = find(item, name, type);
  return value && value->is_string() ? value->string() : std::string_view();
}

Error difference(const std::string& path, std::string_view expected, std::string_view got) {
  return invalid(path + ": expected '" + excerpt(expected) + "', got '" + excerpt(got) + "'");
}

Status compare(const json::Value& expected, const json::Value& got, const std::string& path);

Status compare_objects(const json::Value& expected, const json::Value& got, const std::string& path) {
  json::Members members(expected);
  while (members.next()) {
    const auto member_path = path + "." + std::string(members.key());
    const auto found = got.find(members.key());
    if (!found) {
      return difference(member_path, "a value", "nothing");
    }
    WAYBILL_TRY(compare(members.value(), *found, member_path));
  }
  return {};
}

Status compare_arrays(const json::Value& expected, const json::Value& got, const std::string& path) {
  json::Elements expected_elements(expected);
  json::Elements got_elements(got);
  while (expected_elements.next() && got_elements.next()) {
    WAYBILL_TRY(compare(expected_elements.value(), got_elements.value(), path + "[]"));
  }
  return {};
}

// Items hold objects, arrays and strings only: DynamoDB sends its numbers as strings.
Status compare(const json::Value& expected, const json::Value& got, const std::string& path) {
  if (expected.type() != got.type()) {
    return difference(path, "another type", "a value of the wrong type");
  }
  if (expected.is_string()) {
    return expected.string() == got.string() ? Status() : difference(path, expected.string(), got.string());
  }
  if (expected.size() != got.size()) {
    return difference(path + " has members", std::to_string(expected.size()), std::to_string(got.size()));
  }
  return expected.is_object() ? compare_objects(expected, got, path) : compare_arrays(expected, got, path);
}

// Where an operation's answer keeps its items; an absent Item is no item.
std::optional<json::Value> items_array(const Request& request, const json::Value& answer,
                                       const std::string& table) {
  if (request.operation == Operation::batch_get) {
    const auto responses = answer.find("Responses");
    return responses && responses->is_object() ? responses->find(table) : std::nullopt;
  }
  return answer.find("Items");
}

}  // namespace

Result<FoundItem> DynamoAnswers::check_item(const json::Value& item) {
  const auto job_id = text_of(item, "jobId", "S");
  const auto id = id_of(job_id);
  if (!id) {
    return difference("jobId", "one that was loaded", job_id);
  }
  const auto status_text = text_of(item, "status", "S");
  const auto status = status_named(status_text);
  if (!status) {
    return difference("status", "one of four", status_text);
  }
  const auto updated_at_text = text_of(item, "updatedAt", "N");
  int64_t updated_at_ms = 0;
  std::from_chars(updated_at_text.data(), updated_at_text.data() + updated_at_text.size(), updated_at_ms);

  Job job;
  make_job(options_.population, *id, job);
  if (options_.corrupt_expectation) {
    job.correlation_id.data()[0] = 'x';
  }
  expected_.clear();
  add_item_json(expected_, job, *status, updated_at_ms);
  WAYBILL_TRY_ASSIGN(const auto expected, expected_parser_.parse_copy(expected_.view()));
  WAYBILL_TRY(compare(expected, item, std::string(job_id)));
  return FoundItem{*id, *status};
}

Result<std::vector<FoundItem>> DynamoAnswers::items(const Request& request, std::string_view body) {
  WAYBILL_TRY_ASSIGN(const auto answer, answer_parser_.parse(body));
  if (!answer.is_object()) {
    return difference("answer", "an object", body);
  }
  std::vector<FoundItem> found;
  if (writes(request.operation)) {
    // {} but for batches, which say that nothing was left undone.
    const auto unprocessed = answer.find("UnprocessedItems");
    const bool done = answer.size() == (unprocessed ? 1U : 0U);
    return done ? Result<std::vector<FoundItem>>(found) : difference("answer", "{}", body);
  }
  if (request.operation == Operation::get) {
    if (const auto item = answer.find("Item")) {
      WAYBILL_TRY_ASSIGN(const auto checked, check_item(*item));
      found.push_back(checked);
    }
    return found;
  }
  const auto array = items_array(request, answer, options_.table);
  if (!array || !array->is_array()) {
    return difference("answer", "a list of items", body);
  }
  json::Elements elements(*array);
  while (elements.next()) {
    WAYBILL_TRY_ASSIGN(const auto checked, check_item(elements.value()));
    found.push_back(checked);
  }
  return found;
}

std::optional<JobId> DynamoAnswers::last_evaluated(std::string_view body) {
  constexpr std::string_view name = R"("LastEvaluatedKey")";
  constexpr std::size_t end_bytes = 200;
  constexpr std::size_t job_id_bytes = 26;
  const auto tail_at = body.size() > end_bytes ? body.size() - end_bytes : 0;
  auto at = body.find(name, tail_at);
  at = at == body.npos ? body.find(name) : at;
  at = at == body.npos ? at : body.find(R"("S":")", at);
  if (at == body.npos || at + 5 + job_id_bytes > body.size()) {
    return std::nullopt;
  }
  JobId job_id;
  job_id.add(body.substr(at + 5, job_id_bytes));
  return job_id;
}

}  // namespace waybill::load
