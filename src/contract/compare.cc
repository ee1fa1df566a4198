#include "contract/compare.h"

#include <algorithm>

#include "contract/compare_parts.h"

namespace waybill::contract {

namespace {

void compare_indexes(const Contract& before, const Contract& after, Differences& found) {
  using Index = Contract::Table::Index;
  const auto find = [](const Contract& contract, const Name& name) {
    const auto at = std::ranges::find(contract.table.indexes, name, &Index::name);
    return at == contract.table.indexes.end() ? nullptr : &*at;
  };
  for (const auto& index : after.table.indexes) {
    const std::string what = joined({"the index \"", index.name.text, "\""});
    const Index* const old = find(before, index.name);
    if (old == nullptr) {
      found.safe(joined({what, " is new"}), "it is filled while the table serves");
    } else if (old->key != index.key) {
      found.migration(
          joined({what, " has another key"}),
          "an index keeps its key: add one under a new name, let readers go there, drop this one");
    } else if (old->projection.kind != index.projection.kind ||
               old->projection.attributes != index.projection.attributes) {
      found.migration(
          joined({what, " shows other attributes"}),
          "an index keeps what it shows: add one under a new name, let readers go there, drop this one");
    }
  }
  for (const auto& index : before.table.indexes) {
    if (find(after, index.name) == nullptr) {
      found.migration(joined({"the index \"", index.name.text, "\" is gone"}),
                      "whoever reads by it must have stopped before it is dropped");
    }
  }
}

void compare_tables(const Contract& before, const Contract& after, Differences& found) {
  if (before.table.name != after.table.name) {
    found.migration("the table has another name",
                    "a table keeps its name: make the new one, write to both, copy, let readers go there");
  }
  if (before.table.key != after.table.key) {
    found.migration("the table has another key",
                    "a table keeps its key: make a new one, write to both, copy, let readers go there");
  }
  compare_indexes(before, after, found);
  if (before.table.ttl != after.table.ttl) {
    found.migration(
        "records expire by another field",
        "it takes an hour or more to change on Amazon's own engine, and old records lack the new one");
  }
  if (before.table.recovery_days != after.table.recovery_days || before.table.stream != after.table.stream ||
      before.table.billing != after.table.billing) {
    found.safe("the table's recovery, stream or billing is another",
               "each is changed while the table serves");
  }
}

void compare_ids(const Record& before, const Record& after, const std::string& what, Differences& found) {
  if (before.id.has_value() != after.id.has_value() || (after.id && before.id->field != after.id->field)) {
    found.migration(joined({what, " has its id in another field"}), "old records must have it there first");
  } else if (after.id && (before.id->kind != after.id->kind || before.id->prefix != after.id->prefix)) {
    found.safe(joined({what, " gets another kind of id"}), "old ids stay as they are");
  }
}

void compare_records(const Record& before, const Record& after, Differences& found) {
  const std::string what = joined({"the record \"", after.name, "\""});
  if (before.key != after.key) {
    found.migration(joined({what, " has another key"}),
                    "a record keeps its key: write to both, copy, let readers go there, drop the old ones");
  }
  if (before.role != after.role) {
    found.refused(joined({what, " has another role"}), "what the system writes is not what writers write");
  }
  compare_ids(before, after, what, found);
  if (before.version != after.version) {
    found.migration(joined({what, " counts its changes in another field"}),
                    "old records must have it before it counts");
  }
  if (before.owner != after.owner || before.tenant != after.tenant) {
    found.migration(joined({what, " belongs to another field"}), "old records must have it before it counts");
  }
  if (before.trace != after.trace) {
    found.safe(joined({what, " is followed by other fields"}), "events and log lines have them from then on");
  }
  if (before.other_fields != after.other_fields) {
    if (after.other_fields == OtherFields::refuse) {
      found.migration(joined({what, " may have no other fields any more"}),
                      "records and writers of today may have some: look for them first");
    } else {
      found.safe(joined({what, " may have other fields"}), "what was right stays right");
    }
  }
  compare_fields(before.fields, after.fields, after.name, "", found);
  compare_status(before, after, found);
  compare_work(before, after, found);
  compare_effects(before, after, found);
}

std::string_view word_for(Enforcement enforcement) {
  switch (enforcement) {
    case Enforcement::enforce:
      return "hold every writer";
    case Enforcement::log:
      return "are written to the log where they are broken";
    case Enforcement::off:
      break;
  }
  return "do nothing";
}

void compare_wholes(const Contract& before, const Contract& after, Differences& found) {
  if (before.enforcement != after.enforcement) {
    found.safe(joined({"the rules ", word_for(after.enforcement), " now"}),
               after.enforcement == Enforcement::enforce
                   ? "records that break one are refused when they are next written"
                   : "records may break them from then on");
  }
  const auto same = [](const Parameter& a, const Parameter& b) {
    return a.name == b.name && a.one_of == b.one_of && a.value == b.value;
  };
  if (!std::ranges::equal(before.parameters, after.parameters, same)) {
    found.safe("the parameters are others", "what they are used in is compared by itself");
  }
}

}  // namespace

std::vector<Difference> compare(const Contract& before, const Contract& after) {
  Differences found;
  if (before.name != after.name) {
    found.refused(joined({"\"", before.name, "\" became \"", after.name, "\""}),
                  "a contract keeps its name; with another one it is another contract");
    return found.take();
  }
  compare_wholes(before, after, found);
  compare_tables(before, after, found);
  compare_buckets(before, after, found);
  compare_publish(before, after, found);
  for (const auto& record : after.records) {
    if (const Record* const old = before.find(record.name)) {
      compare_records(*old, record, found);
    } else {
      found.safe(joined({"the record \"", record.name, "\" is new"}), "there are none yet");
    }
  }
  for (const auto& record : before.records) {
    if (after.find(record.name) == nullptr) {
      found.migration(joined({"the record \"", record.name, "\" is gone"}),
                      "those that are there must be removed first: nothing would hold them to anything");
    }
  }
  auto differences = found.take();
  if (!differences.empty() && after.version <= before.version) {
    differences.insert(differences.begin(),
                       {Difference::Kind::refused, "the version is still " + std::to_string(after.version),
                        "give the changed contract version " + std::to_string(before.version + 1)});
  }
  return differences;
}

}  // namespace waybill::contract
