#include "job/fields.h"

#include <algorithm>

#include "rules/expression.h"

namespace waybill::job {

namespace {

using contract::Field;
using contract::FieldType;
using contract::Record;

const Field* find_field(const std::vector<Field>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

// The first `count` characters of a text.
std::string_view first_characters(std::string_view text, int64_t count) {
  std::size_t at = 0;
  while (at < text.size() && count-- > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
      ++at;
    }
  }
  return text.substr(0, at);
}

bool is_allowed(const Record& record, Draft& draft, const std::string& name) {
  const Field* const field = record.find(name);
  if (field == nullptr || field->only_in.empty()) {
    return true;
  }
  const std::string status = status_of(record, draft);
  return std::ranges::any_of(field->only_in, [&](const auto& in) { return in.text == status; });
}

void set_cut(const Record& record, Draft& draft, const Path& path, std::string_view text) {
  if (!is_allowed(record, draft, path.front())) {
    return;
  }
  const Field* const field = field_at(record, path);
  const bool is_bounded = field != nullptr && field->length_max;
  draft.set_text(path, is_bounded ? first_characters(text, *field->length_max) : text);
}

}  // namespace

const Field* field_at(const Record& record, const Path& path) {
  const Field* field = record.find(path.front());
  for (std::size_t i = 1; field != nullptr && i < path.size(); ++i) {
    field = find_field(field->fields, path[i]);
  }
  return field;
}

std::string status_of(const Record& record, Draft& draft) {
  return record.status ? draft.text({record.status->field.text}).value_or("") : std::string();
}

void move_to(const Record& record, Draft& draft, const std::string& state) {
  draft.set_text({record.status->field.text}, state);
  for (const auto& field : record.fields) {
    const bool is_bound = !field.only_in.empty();
    if (is_bound && std::ranges::none_of(field.only_in, [&](const auto& in) { return in.text == state; })) {
      draft.remove({field.name});
    }
  }
}

void end_at(const Record& record, Draft& draft, const std::string& state) {
  release(record, draft);
  if (record.work && record.work->next_attempt_at) {
    draft.remove(path_of_text(record.work->next_attempt_at->text));
  }
  move_to(record, draft, state);
}

void set_time(const Record& record, Draft& draft, const Path& path, int64_t ms) {
  const Field* const field = field_at(record, path);
  std::string encoded;
  rules::append_time(encoded, field == nullptr ? FieldType::timestamp : field->type, ms);
  draft.set(path, item::ValueView(encoded.data()));
}

void set_trouble(const Record& record, Draft& draft, const Trouble& trouble) {
  const auto& work = *record.work;
  if (work.error_message) {
    set_cut(record, draft, path_of_text(work.error_message->text), trouble.message);
  }
  if (!work.error_code) {
    return;
  }
  Path path = path_of_text(work.error_code->text);
  set_cut(record, draft, path, trouble.code);
  path.back() = "stack";
  if (field_at(record, path) == nullptr) {
    return;
  }
  if (trouble.stack.empty()) {
    draft.remove(path);
  } else {
    set_cut(record, draft, path, trouble.stack);
  }
}

std::optional<int64_t> attempts_of(const Record& record, Draft& draft) {
  if (!record.work->attempts) {
    return {};
  }
  return draft.integer(path_of_text(record.work->attempts->text)).value_or(0);
}

void reserve(const Record& record, Draft& draft) {
  for (const auto& counter : record.counters) {
    const auto reserved = draft.number({counter.reserved.text});
    const auto estimate = draft.number({counter.estimate.text});
    if (estimate && (!reserved || reserved->is_zero())) {
      draft.set_number({counter.reserved.text}, *estimate);
    }
  }
}

void release(const Record& record, Draft& draft) {
  for (const auto& counter : record.counters) {
    draft.set_integer({counter.reserved.text}, 0);
  }
}

Status spend(const Record& record, Draft& draft, const std::string& counter, std::string_view amount) {
  const auto found = std::ranges::find(record.counters, counter, &Record::Counter::name);
  if (found == record.counters.end()) {
    return Error{ErrorKind::invalid, record.name + " has no counter \"" + counter + "\"", "spend." + counter};
  }
  const auto more = item::Decimal::parse(amount);
  if (!more || more->is_negative()) {
    return Error{ErrorKind::invalid, "What is spent is a number from 0 on", "spend." + counter};
  }
  const Path path{found->spent.text};
  const auto before = draft.number(path).value_or(item::Decimal());
  WAYBILL_TRY_ASSIGN(const auto sum, item::Decimal::add(before, *more));
  draft.set_number(path, sum);
  return {};
}

}  // namespace waybill::job
