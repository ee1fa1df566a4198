#include "job/step_record.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "job/actions.h"
#include "job/change.h"
#include "job/decide_step.h"
#include "job/fields.h"
#include "job/key_text.h"
#include "job/machine.h"
#include "table/key.h"

namespace waybill::job {

namespace {

using contract::Record;

// How many records of one step may be made within one millisecond.
constexpr int64_t same_time_max = 1000;

const rules::Kind* kind_of_steps(const Subject& subject) {
  const auto& steps = subject.record().work->steps;
  return steps && steps->record ? subject.contract->find(steps->record->text) : nullptr;
}

bool is_set_by_system(const contract::Field& field) {
  return field.set.has_value() || field.computed.has_value();
}

// The field that names the step: of those that the key is made of, the one that the job lacks and a client
// gives.
std::optional<std::string> name_field(const Record& job, const rules::Kind& steps) {
  for (const auto& name : steps.key_fields) {
    const auto* const field = steps.record->find(name);
    const bool is_job_id = job.id && job.id->field.text == name;
    if (field != nullptr && job.find(name) == nullptr && !is_job_id && !is_set_by_system(*field)) {
      return name;
    }
  }
  return {};
}

std::optional<std::string> text_at(item::ItemView item, const std::string& name) {
  const auto value = item.find(name);
  const bool is_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return is_text ? std::optional(std::string(value->bytes())) : std::nullopt;
}

// All records of a step are neighbours: their keys begin alike.
std::optional<store::Range> range_of_step(const table::TablePtr& table, const Subject& subject,
                                          const rules::Kind& steps, item::ItemView job,
                                          const std::string& step) {
  const auto named = name_field(subject.record(), steps);
  const auto value_of = [&](const std::string& field) {
    return named == field ? std::optional(step) : text_at(job, field);
  };
  const auto& key = steps.record->key;
  const auto partition = key.find(table->key.partition.name);
  const auto sort = table->key.sort ? key.find(table->key.sort->name) : key.end();
  if (!named || partition == key.end() || sort == key.end()) {
    return {};
  }
  const auto whole = known_text(*subject.contract, partition->second, value_of);
  if (!whole.is_whole) {
    return {};
  }
  std::string value;
  item::append_scalar(value, item::Type::string, whole.text);
  store::Range range;
  range.table = table;
  table::append_partition(range.begin, item::ValueView(value.data()));
  table::append_sort_prefix(range.begin, known_text(*subject.contract, sort->second, value_of).text);
  range.end = table::after_prefix(range.begin);
  range.forward = false;
  range.count_wanted = 1;
  return range;
}

// The first record that is the job's own: where tenants share a partition, any of them may put one there.
class First final : public store::Visitor {
 public:
  First(const rules::Kind& steps, item::ItemView job)
      : tenant_(steps.record->tenant ? steps.record->tenant->text : std::string()), job_(job) {}

  bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
    if (!tenant_.empty() && text_at(item, tenant_) != text_at(job_, tenant_)) {
      return true;
    }
    found = item::Item{std::string(item.encoded())};
    return false;
  }
  std::optional<item::Item> found;

 private:
  const std::string tenant_;
  const item::ItemView job_;
};

Result<std::optional<item::Item>> last_record(const Services& services, const Subject& subject,
                                              const rules::Kind& steps, item::ItemView job,
                                              const std::string& step) {
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, subject));
  const auto range = range_of_step(table, subject, steps, job, step);
  First first(steps, job);
  if (range) {
    WAYBILL_TRY(services.store.read(*range, first));
  }
  return std::move(first.found);
}

// The fields that a step's record shares with its job, its name, and the times that are part of its key.
Draft new_fields(const Subject& subject, const rules::Kind& steps, item::ItemView job,
                 const std::string& step, int64_t now_ms) {
  const Record& record = *steps.record;
  Draft draft{item::Item()};
  for (const auto& field : record.fields) {
    const auto value = job.find(field.name);
    const bool is_status = record.status && record.status->field.text == field.name;
    const bool is_shared =
        subject.record().find(field.name) != nullptr ||
        std::ranges::find(subject.kind->key_fields, field.name) != subject.kind->key_fields.end();
    const bool is_key = std::ranges::find(steps.key_fields, field.name) != steps.key_fields.end();
    const bool is_owned = is_key || (record.tenant && record.tenant->text == field.name) ||
                          (record.owner && record.owner->text == field.name);
    if (value && is_shared && is_owned && !is_status && !is_set_by_system(field)) {
      draft.set({field.name}, *value);
    } else if (is_key && field.set) {
      set_time(record, draft, {field.name}, now_ms);
    }
  }
  draft.set_text({*name_field(subject.record(), steps)}, step);
  if (record.status) {
    draft.set_text({record.status->field.text}, record.status->start.text);
  }
  return draft;
}

Result<StepMove> make_record(const Services& services, const Subject& subject, const rules::Kind& steps,
                             item::ItemView job, const StepWish& wish) {
  const Subject of_step{subject.contract, &steps};
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, subject));
  const int64_t now_ms = services.clock.wall_ms();
  for (int64_t later_ms = 0; later_ms < same_time_max; ++later_ms) {
    const auto fields = new_fields(subject, steps, job, wish.step, now_ms + later_ms).result();
    WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_fields(*subject.contract, steps, fields.view()));
    WAYBILL_TRY_ASSIGN(const auto there, find_record(services, of_step, key.view()));
    if (!there) {
      Draft draft{fields};
      draft.merge({key, {}});
      return StepMove{creation_of(table, draft.result()), false};
    }
  }
  return Error{ErrorKind::unavailable, "Too many records of one step were made at once: try again", {}};
}

StepMove moved(const table::TablePtr& table, const rules::Kind& steps, Draft draft,
               const std::vector<std::string>& states, const StepWish& wish) {
  const Record& record = *steps.record;
  const bool is_last = states.size() == 1;
  if (is_last) {
    draft.merge(wish.patch);
    if (!wish.approved_by.empty() && record.find("approved_by") != nullptr) {
      draft.set_text({"approved_by"}, wish.approved_by);
    }
  }
  move_to(record, draft, states.front());
  const item::Item key = draft.seen();
  return {change_of(table, key, draft), is_last};
}

}  // namespace

Result<std::optional<StepMove>> step_towards(const Services& services, const Subject& subject,
                                             item::ItemView job, const StepWish& wish) {
  const rules::Kind* const steps = kind_of_steps(subject);
  if (steps == nullptr || !steps->record->status || steps->record->status->find(wish.state) == nullptr) {
    return std::optional<StepMove>();
  }
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, subject));
  WAYBILL_TRY_ASSIGN(auto last, last_record(services, subject, *steps, job, wish.step));
  Draft draft{last ? *last : item::Item()};
  const std::string status = last ? status_of(*steps->record, draft) : std::string();
  if (last && status == wish.state) {
    return std::optional<StepMove>();
  }
  if (!last || is_end(*steps->record, status)) {
    WAYBILL_TRY_ASSIGN(auto made, make_record(services, subject, *steps, job, wish));
    return std::optional(std::move(made));
  }
  const auto states = way(*steps->record->status, status, wish.state);
  if (states.empty()) {
    return std::optional<StepMove>();
  }
  return std::optional(moved(table, *steps, std::move(draft), states, wish));
}

Result<std::optional<store::Action>> close_step(const Services& services, const Subject& subject, Draft& job,
                                                const std::string& state) {
  const auto& work = *subject.record().work;
  const rules::Kind* const steps = kind_of_steps(subject);
  if (steps == nullptr || !steps->record->status) {
    return std::optional<store::Action>();
  }
  const auto& machine = *steps->record->status;
  const std::string goal = machine.find(state) != nullptr || !work.fail ? state : work.fail->to.text;
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, subject));
  const std::string step = current_step(subject.record(), job);
  WAYBILL_TRY_ASSIGN(auto last, last_record(services, subject, *steps, job.seen().view(), step));
  if (!last || machine.find(goal) == nullptr) {
    return std::optional<store::Action>();
  }
  Draft draft{*std::move(last)};
  const auto states = way(machine, status_of(*steps->record, draft), goal);
  if (states.size() != 1) {
    return std::optional<store::Action>();
  }
  end_at(*steps->record, draft, goal);
  const item::Item key = draft.seen();
  return std::optional(change_of(table, key, draft));
}

Result<bool> step_is_in(const Services& services, const Subject& subject, item::ItemView job,
                        const std::string& step, const std::string& state) {
  const rules::Kind* const steps = kind_of_steps(subject);
  if (steps == nullptr || !steps->record->status) {
    return false;
  }
  WAYBILL_TRY_ASSIGN(const auto last, last_record(services, subject, *steps, job, step));
  return last && text_at(last->view(), steps->record->status->field.text) == state;
}

Patch take_step_patch(const Subject& subject, Patch& patch) {
  const rules::Kind* const steps = kind_of_steps(subject);
  Patch taken;
  if (steps == nullptr) {
    return taken;
  }
  const auto is_steps = [&](std::string_view name) {
    const std::string field(name);
    return steps->record->find(field) != nullptr && subject.record().find(field) == nullptr;
  };
  item::Item left;
  item::AttributeCursor cursor(patch.set.view());
  while (cursor.next()) {
    (is_steps(cursor.name()) ? taken.set : left).encoded += cursor.encoded();
  }
  patch.set = std::move(left);
  std::erase_if(patch.removed, [&](const Path& path) {
    const bool is_taken = is_steps(path.front());
    if (is_taken) {
      taken.removed.push_back(path);
    }
    return is_taken;
  });
  return taken;
}

}  // namespace waybill::job
