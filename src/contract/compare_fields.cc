// The part of the comparison that looks at fields.
#include <algorithm>

#include "contract/compare_parts.h"

namespace waybill::contract {

namespace {

const Field* find(const std::vector<Field>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

// Whether every value of the one is a value of the other.
bool is_wider(FieldType before, FieldType after) {
  const bool from_whole =
      before == FieldType::integer || before == FieldType::epoch_ms || before == FieldType::epoch_s;
  return after == FieldType::any || (from_whole && after == FieldType::number) ||
         (before == FieldType::timestamp && after == FieldType::string);
}

bool is_filled_by_system(const Field& field) {
  return field.initial || field.computed || field.set;
}

void compare_new(const Field& field, const std::string& what, Differences& found) {
  if (field.optional) {
    found.safe(joined({what, " is new"}), "records without it are as good as before");
  } else if (is_filled_by_system(field)) {
    found.migration(
        joined({what, " is new, and every record has it"}),
        "old records get it when they are next written; waiting for that or filling them is up to you");
  } else {
    found.refused(joined({what, " is new, and every record must have it"}),
                  "no writer of today gives it: write its name with a ?, or give it a default");
  }
}

void compare_words(const Field& before, const Field& after, const std::string& what, Differences& found) {
  if (before.one_of == after.one_of) {
    return;
  }
  if (after.one_of.empty()) {
    found.safe(joined({what, " may be any word"}), "what was right stays right");
    return;
  }
  if (before.one_of.empty()) {
    found.migration(joined({what, " may be certain words only"}),
                    "old records may have others: look for them first");
    return;
  }
  for (const auto& word : after.one_of) {
    if (std::ranges::find(before.one_of, word) == before.one_of.end()) {
      found.safe(joined({what, " may be \"", word, "\""}), "what was right stays right");
    }
  }
  for (const auto& word : before.one_of) {
    if (std::ranges::find(after.one_of, word) == after.one_of.end()) {
      found.migration(joined({what, " may no longer be \"", word, "\""}),
                      "records that are could not be written any more: change them first");
    }
  }
}

bool same(const std::optional<SetRule>& a, const std::optional<SetRule>& b) {
  return a.has_value() == b.has_value() && (!a || (a->moment == b->moment && a->states == b->states));
}

// When it is there, and who sees to that.
void compare_presence(const Field& before, const Field& after, const std::string& what, Differences& found) {
  if (!same(before.set, after.set)) {
    found.safe(joined({what, " is set at another moment"}), "old records keep what they have");
  }
  if (before.only_in != after.only_in || before.only_with != after.only_with) {
    if (after.only_in.empty() && !after.only_with) {
      found.safe(joined({what, " may always be there"}), "what was right stays right");
    } else {
      found.migration(joined({what, " may be there at other times"}),
                      "old records may have it where it may not be: look for them first");
    }
  }
  if (before.dropped_where != after.dropped_where) {
    found.safe(joined({what, " is dropped elsewhere"}), "what is kept already stays");
  }
  if (before.unique != after.unique) {
    found.safe(joined({what, after.unique ? " is never the same twice" : " may be the same twice"}),
               "old records keep what they have");
  }
}

void compare_one(const Field& before, const Field& after, const std::string& record, const std::string& path,
                 Differences& found) {
  const std::string what = joined({"the field \"", path, "\" of \"", record, "\""});
  if (before.type != after.type) {
    if (is_wider(before.type, after.type)) {
      found.safe(joined({what, " has a wider type"}), "what was right stays right");
    } else {
      found.refused(joined({what, " has another type"}),
                    "add a field under a new name, write both, fill it, let readers go there, drop this one");
      return;
    }
  }
  if (before.optional && !after.optional) {
    found.migration(joined({what, " must be there"}),
                    "records without it could not be written: fill it first");
  } else if (!before.optional && after.optional) {
    found.safe(joined({what, " may be absent"}), "readers must expect that from now on");
  }
  compare_words(before, after, what, found);
  if (before.minimum != after.minimum || before.maximum != after.maximum ||
      before.length_max != after.length_max) {
    found.migration(joined({what, " has other bounds"}), "old records may lie outside: look for them first");
  }
  if (before.computed != after.computed) {
    found.migration(joined({what, " is computed otherwise"}),
                    "old records keep what they have until they are next written");
  }
  if (before.initial != after.initial) {
    found.safe(joined({what, " begins with another value"}), "only new records get it");
  }
  compare_presence(before, after, what, found);
  compare_fields(before.fields, after.fields, record, path, found);
  if (before.element && after.element) {
    compare_one(*before.element, *after.element, record, path + "[]", found);
  } else if (after.element) {
    found.migration(joined({what, " holds certain values only"}),
                    "old records may have others: look for them first");
  } else if (before.element) {
    found.safe(joined({what, " may hold any values"}), "what was right stays right");
  }
}

}  // namespace

void compare_fields(const std::vector<Field>& before, const std::vector<Field>& after,
                    const std::string& record, const std::string& path, Differences& found) {
  const auto path_of = [&](const Field& field) {
    return path.empty() ? field.name : joined({path, ".", field.name});
  };
  for (const auto& field : after) {
    if (const Field* const old = find(before, field.name)) {
      compare_one(*old, field, record, path_of(field), found);
    } else {
      compare_new(field, joined({"the field \"", path_of(field), "\" of \"", record, "\""}), found);
    }
  }
  for (const auto& field : before) {
    if (find(after, field.name) == nullptr) {
      found.migration(joined({"the field \"", path_of(field), "\" of \"", record, "\" is gone"}),
                      "stop writing it, let readers do without, then take it out of the records");
    }
  }
}

}  // namespace waybill::contract
