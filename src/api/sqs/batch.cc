#include "api/sqs/batch.h"

#include <algorithm>
#include <set>

#include "api/sqs/errors.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t entries_max = 10;
constexpr std::size_t id_length_max = 80;

bool is_entry_id(std::string_view id) {
  return !id.empty() && id.size() <= id_length_max && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

Status check_count(std::size_t count, std::string_view entry_type) {
  if (count == 0) {
    return Error{ErrorKind::batch_empty,
                 "There should be at least one " + std::string(entry_type) + " in the request.",
                 {}};
  }
  if (count > entries_max) {
    return Error{ErrorKind::batch_too_long,
                 "Maximum number of entries per request are 10. You have sent " + std::to_string(count) + ".",
                 {}};
  }
  return {};
}

Status check_ids(const std::vector<Fields>& entries, std::string_view entry_type) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto id = entries[i].string("Id");
    if (!id) {
      return missing_parameter(std::string(entry_type) + "." + std::to_string(i + 1) + ".Id");
    }
    if (!is_entry_id(*id)) {
      return Error{
          ErrorKind::batch_id_invalid,
          "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can "
          "be at most 80 letters long.",
          {}};
    }
    if (!seen.insert(*id).second) {
      return Error{ErrorKind::batch_id_repeated, "Id " + std::string(*id) + " repeated.", {}};
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Fields>> read_batch(const Fields& fields, std::string_view entry_type) {
  auto entries = fields.structures("Entries", entry_type).value_or(std::vector<Fields>());
  WAYBILL_TRY(fields.reading().status());
  WAYBILL_TRY(check_count(entries.size(), entry_type));
  WAYBILL_TRY(check_ids(entries, entry_type));
  return entries;
}

std::string id_of(const Fields& entry) {
  return std::string(entry.string("Id").value_or(""));
}

void write_failures(Answer& answer, const std::vector<BatchFailure>& failures) {
  if (failures.empty()) {
    return;
  }
  constexpr ListForm form{"Failed", "BatchResultErrorEntry"};
  answer.begin_list(form);
  for (const auto& failure : failures) {
    const auto words = error_form(failure.error.kind);
    answer.begin_element(form).text("Id", failure.id).boolean("SenderFault", words.is_senders);
    answer.text("Code", words.code).text("Message", told_message(failure.error)).end_element(form);
  }
  answer.end_list();
}

}  // namespace waybill::api::sqs
