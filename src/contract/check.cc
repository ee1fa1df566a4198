#include "contract/check.h"

#include <algorithm>

#include "contract/check_parts.h"
#include "contract/section.h"

namespace waybill::contract {

namespace {

bool is_in(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::string remedy_for(const std::string& name, const std::vector<std::string>& names) {
  const std::string meant = nearest(name, names);
  return meant.empty() ? "add it to the fields" : "did you mean \"" + meant + "\"?";
}

// Every name that something of the record refers to.
class NameCheck {
 public:
  NameCheck(const Record& record, std::vector<std::string> usable, Findings& findings)
      : record_(record), usable_(std::move(usable)), findings_(findings) {}

  void field(const std::optional<Name>& name, std::string_view use) {
    if (name && !is_field(record_, name->text)) {
      report(name->place, name->text, use);
    }
  }
  void fields(const Names& names, std::string_view use) {
    for (const auto& name : names) {
      field(name, use);
    }
  }
  void used(Place place, const std::vector<std::string>& names, std::string_view use) {
    for (const auto& name : names) {
      if (!is_in(name, usable_) && !is_field(record_, name)) {
        report(place, name, use);
      }
    }
  }

 private:
  void report(Place place, const std::string& name, std::string_view use) {
    findings_.error(place,
                    "the record \"" + record_.name + "\" has no field \"" + name + "\", which its " +
                        std::string(use) + " names",
                    remedy_for(name, usable_));
  }

  const Record& record_;
  const std::vector<std::string> usable_;
  Findings& findings_;
};

void check_work_names(const Work& work, Place place, NameCheck& names) {
  for (const auto& [key, formula] : work.message) {
    names.used(place, formula.fields(), "message");
  }
  if (work.arrival) {
    names.used(place, work.arrival->bucket.fields(), "arrival");
    names.used(place, work.arrival->key.fields(), "arrival");
  }
  if (work.built_in) {
    for (const auto& [key, text] : work.built_in->with) {
      names.used(place, text.fields(), "built-in worker");
    }
  }
  names.field(work.attempts, "attempts");
  names.field(work.next_attempt_at, "next_attempt_at");
  names.field(work.error_code, "error");
  names.field(work.error_message, "error");
  if (work.give_up) {
    names.field(work.give_up->after, "give_up");
  }
  if (work.steps) {
    names.field(work.steps->cursor, "steps");
    names.field(work.steps->total, "steps");
  }
}

}  // namespace

std::vector<std::string> usable_names(const Contract& contract, const Record& record) {
  std::vector<std::string> names;
  names.reserve(record.fields.size() + contract.parameters.size() + 3);
  for (const auto& field : record.fields) {
    names.push_back(field.name);
  }
  if (record.status) {
    names.push_back(record.status->field.text);
  }
  if (record.id) {
    names.push_back(record.id->field.text);
  }
  if (record.version) {
    names.push_back(record.version->text);
  }
  for (const auto& parameter : contract.parameters) {
    names.push_back(parameter.name);
  }
  return names;
}

const Field* find_field(const Record& record, const std::string& path) {
  const std::vector<Field>* fields = &record.fields;
  for (std::size_t begin = 0;;) {
    const std::size_t point = path.find('.', begin);
    const std::string name = path.substr(begin, point - begin);
    const auto found = std::ranges::find(*fields, name, &Field::name);
    if (found == fields->end() || point == std::string::npos) {
      return found == fields->end() ? nullptr : &*found;
    }
    fields = &found->fields;
    begin = point + 1;
  }
}

bool is_field(const Record& record, const std::string& path) {
  return find_field(record, path) != nullptr || (record.status && record.status->field.text == path) ||
         (record.id && record.id->field.text == path) || (record.version && record.version->text == path);
}

void check_names(const Contract& contract, const Record& record, Findings& findings) {
  NameCheck names(record, usable_names(contract, record), findings);
  for (const auto& [attribute, text] : record.key) {
    names.used(record.place, text.fields(), "key");
  }
  names.field(record.owner, "owner");
  names.field(record.tenant, "tenant");
  names.fields(record.trace, "trace");
  if (record.tags) {
    names.field(record.tags->field, "tags");
    names.field(record.tags->within, "tags");
    names.field(record.tags->newest_by, "tags");
  }
  if (record.idempotency) {
    names.field(record.idempotency->field, "idempotency");
    names.field(record.idempotency->within, "idempotency");
  }
  for (const auto& counter : record.counters) {
    names.fields({counter.estimate, counter.reserved, counter.spent}, "counters");
  }
  for (const auto& mirror : record.mirrors) {
    for (const auto& [attribute, text] : mirror.key) {
      names.used(mirror.place, text.fields(), "mirror");
    }
    names.fields(mirror.fields, "mirror");
  }
  for (const auto& event : record.events) {
    for (const auto& [key, formula] : event.with) {
      names.used(event.place, formula.fields(), "events");
    }
  }
  names.field(record.audited_by, "audit");
  if (record.keep_latest) {
    names.field(record.keep_latest->by, "keep_latest");
  }
  for (const auto& field : record.fields) {
    for (const auto& formula : {field.initial, field.computed}) {
      if (formula) {
        names.used(field.place, formula->fields(), "field \"" + field.name + "\"");
      }
    }
    names.field(field.only_with, "field \"" + field.name + "\"");
  }
  if (record.work) {
    check_work_names(*record.work, record.work->place, names);
  }
}

Problems check(const Contract& contract) {
  Findings findings;
  check_table(contract, findings);
  check_keys(contract, findings);
  check_buckets(contract, findings);
  check_publish(contract, findings);
  for (const auto& record : contract.records) {
    check_names(contract, record, findings);
    check_fields(contract, record, findings);
    check_status(record, findings);
    check_work(record, findings);
    check_message(contract, record, findings);
    check_quotas(contract, record, findings);
  }
  Problems problems = findings.take();
  sort_by_place(problems);
  return problems;
}

}  // namespace waybill::contract
