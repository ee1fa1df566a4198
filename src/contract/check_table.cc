// The part of the check that looks at keys and indexes.
#include <algorithm>

#include "contract/check_parts.h"

namespace waybill::contract {

namespace {

bool is_time(FieldType type) {
  return type == FieldType::timestamp || type == FieldType::epoch_ms || type == FieldType::epoch_s;
}

// Whether the attribute can only have a few values: then everything that is written lands on one key.
bool has_few_values(const Record& record, const std::string& attribute) {
  if (record.status && record.status->field.text == attribute) {
    return true;
  }
  const Field* const field = record.find(attribute);
  if (field == nullptr) {
    return false;
  }
  if (!field->one_of.empty() || field->type == FieldType::boolean) {
    return true;
  }
  if (!field->computed) {
    return false;
  }
  const auto used = field->computed->fields();
  return std::ranges::all_of(used, [&](const std::string& name) { return has_few_values(record, name); });
}

bool has_attribute(const Contract& contract, const Record& record, const std::string& name) {
  const bool is_key =
      std::ranges::any_of(contract.table.key, [&](const Name& key) { return key.text == name; });
  return is_field(record, name) || (is_key && record.key.contains(name));
}

void check_sort_key(const Record& record, const TextTemplate& sort, Findings& findings) {
  const auto& parts = sort.parts();
  for (const auto& part : parts) {
    const Field* const field = part.is_field ? find_field(record, part.text) : nullptr;
    if (field == nullptr) {
      continue;
    }
    if ((field->type == FieldType::integer || field->type == FieldType::number) && part.width == 0) {
      findings.warning(field->place,
                       "the number \"" + part.text + "\" in the key of \"" + record.name +
                           "\" does not sort: 10 comes before 9",
                       "give it a width in the key: {" + part.text + ":08}");
    }
    if (is_time(field->type) && !field->unique) {
      findings.warning(field->place,
                       "the time \"" + part.text + "\" in the key of \"" + record.name +
                           "\" can be the same twice: the second record replaces the first",
                       "say unique: true, or add an id to the key");
    }
  }
}

void check_record_key(const Contract& contract, const Record& record, Findings& findings) {
  for (const auto& key : contract.table.key) {
    if (!record.key.contains(key.text) && !is_field(record, key.text)) {
      findings.error(record.place,
                     "the record \"" + record.name + "\" does not say what its key \"" + key.text + "\" is",
                     "write key: {" + key.text + ": \"...\"}, or make it a field");
    }
  }
  for (const auto& [attribute, text] : record.key) {
    if (std::ranges::none_of(contract.table.key, [&](const Name& key) { return key.text == attribute; })) {
      findings.error(
          record.place,
          "the record \"" + record.name + "\" has a key \"" + attribute + "\", which the table has not",
          "use the names of the table's key");
    }
  }
  if (contract.table.key.size() == 2) {
    if (const auto sort = record.key.find(contract.table.key[1].text); sort != record.key.end()) {
      check_sort_key(record, sort->second, findings);
    }
  }
}

void check_index(const Contract& contract, const Contract::Table::Index& index, Findings& findings) {
  for (const auto& key : index.key) {
    const bool known = std::ranges::any_of(
        contract.records, [&](const Record& record) { return has_attribute(contract, record, key.text); });
    if (!known) {
      findings.error(key.place,
                     "the index \"" + index.name.text + "\" is by \"" + key.text + "\", which no record has",
                     "use a field of a record");
    }
  }
  if (index.key.empty() || index.key.size() > 2) {
    findings.error(index.name.place,
                   "the index \"" + index.name.text + "\" needs one field or two for its key",
                   "write key: [FIELD, FIELD]");
    return;
  }
  for (const auto& record : contract.records) {
    if (has_few_values(record, index.key[0].text)) {
      findings.warning(index.name.place,
                       "all of \"" + record.name + "\" with one value of \"" + index.key[0].text +
                           "\" are one key of the index \"" + index.name.text + "\"",
                       "fine here; on Amazon's own engine a key takes 1,000 writes a second");
    }
  }
}

}  // namespace

void check_table(const Contract& contract, Findings& findings) {
  const auto& table = contract.table;
  if (table.key.empty() || table.key.size() > 2) {
    findings.error(table.place, "the table needs one field or two for its key",
                   "write key: id or key: [PK, SK]");
  }
  for (const auto& index : table.indexes) {
    check_index(contract, index, findings);
  }
  if (table.ttl) {
    bool found = false;
    for (const auto& record : contract.records) {
      const Field* const field = record.find(table.ttl->text);
      found = found || field != nullptr;
      if (field != nullptr && field->type != FieldType::epoch_s) {
        findings.error(field->place,
                       "\"" + field->name + "\" says when a record expires, and is not in seconds",
                       "make it epoch_s: the store takes milliseconds for a time far away");
      }
    }
    if (!found) {
      findings.error(table.ttl->place, "no record has \"" + table.ttl->text + "\", by which they expire",
                     "add the field, or take ttl away");
    }
  }
}

// Which kind a record is must follow from its key.
void check_keys(const Contract& contract, Findings& findings) {
  const auto& records = contract.records;
  for (std::size_t i = 0; i < records.size(); ++i) {
    check_record_key(contract, records[i], findings);
    for (std::size_t j = 0; j < i; ++j) {
      const bool apart = std::ranges::any_of(contract.table.key, [&](const Name& key) {
        const auto mine = records[i].key.find(key.text);
        const auto theirs = records[j].key.find(key.text);
        return mine != records[i].key.end() && theirs != records[j].key.end() &&
               !mine->second.may_meet(theirs->second);
      });
      if (!apart) {
        findings.error(
            records[i].place,
            "\"" + records[i].name + "\" and \"" + records[j].name + "\" cannot be told apart by their keys",
            "let one part of the key begin with another text in each: \"JOB#{job_id}\"");
      }
    }
  }
}

}  // namespace waybill::contract
