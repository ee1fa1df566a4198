#include "job/new_record.h"

#include <algorithm>

#include "job/draft.h"
#include "job/fields.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

using contract::Record;

bool is_time_of_key(const Subject& subject, const contract::Field& field) {
  const auto& names = subject.kind->key_fields;
  return field.set && std::ranges::find(names, field.name) != names.end();
}

void fill_id(const Record& record, Draft& draft, const std::string& id) {
  if (record.id && !draft.find({record.id->field.text})) {
    draft.set_text({record.id->field.text}, record.id->prefix + id);
  }
}

void fill_times(const Subject& subject, Draft& draft, int64_t now_ms) {
  for (const auto& field : subject.record().fields) {
    if (is_time_of_key(subject, field) && !draft.find({field.name})) {
      set_time(subject.record(), draft, {field.name}, now_ms);
    }
  }
}

// Record and message are one commit, so the state before it is queued is passed over.
void fill_state(const Record& record, Draft& draft) {
  if (!record.status) {
    return;
  }
  const std::string status = status_of(record, draft);
  if (status.empty() || status == record.status->start.text) {
    draft.set_text({record.status->field.text}, first_state(record));
  }
}

Status fill_idempotency(const Record& record, Draft& draft, const std::optional<std::string>& key) {
  if (!key || !record.idempotency || !record.idempotency->field) {
    return {};
  }
  const Path path = path_of_text(record.idempotency->field->text);
  const auto given = draft.text(path);
  if (given && given != key) {
    return Error{ErrorKind::invalid, "Idempotency-Key and " + path.front() + " are not the same",
                 path.front()};
  }
  draft.set_text(path, *key);
  return {};
}

}  // namespace

Result<item::Item> new_record(const Subject& subject, const item::Item& fields,
                              const std::optional<std::string>& idempotency_key, const Birth& birth) {
  const Record& record = subject.record();
  Draft draft{fields};
  fill_id(record, draft, birth.id);
  fill_times(subject, draft, birth.now_ms);
  fill_state(record, draft);
  WAYBILL_TRY(fill_idempotency(record, draft, idempotency_key));
  reserve(record, draft);
  const auto made = draft.result();
  WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_fields(*subject.contract, *subject.kind, made.view()));
  draft.merge({key, {}});
  return draft.result();
}

bool makes_key(const Subject& subject, item::ItemView fields) {
  const Record& record = subject.record();
  const auto is_made = [&](const std::string& name) {
    const auto* const field = record.find(name);
    const bool is_id = record.id && record.id->field.text == name;
    return !fields.find(name) && (is_id || (field != nullptr && is_time_of_key(subject, *field)));
  };
  return std::ranges::any_of(subject.kind->key_fields, is_made);
}

}  // namespace waybill::job
