#include "migration/verify.h"

#include "item/plain_json.h"
#include "migration/field_rule.h"
#include "migration/new_key.h"
#include "table/key.h"

namespace waybill::migration {

namespace {

std::string words_of(const table::Table& table, item::ItemView item) {
  item::Item key;
  table::append_key_attributes(key.encoded, table.key, item);
  return item::to_plain_json(key.view());
}

void complain(const table::Table& table, item::ItemView item, Findings& findings) {
  if (findings.disagreeing++ == 0) {
    findings.example = words_of(table, item);
  }
}

Result<Findings> verify_field(const store::Store& store, const Migration& migration, const Spared& spared,
                              const table::TablePtr& table, const Tell& tell) {
  Findings findings;
  const auto look = [&](const Record& record) {
    ++findings.records;
    if (!spared.has(record.item.view()) && !is_filled(migration, record.item.view())) {
      complain(*table, record.item.view(), findings);
    }
    return Status();
  };
  WAYBILL_TRY(look_at_all(store, table, look, tell));
  return findings;
}

// Two tables, between which a record may be written at any moment: both sides of it are read as of one.
class KeyVerification {
 public:
  KeyVerification(const store::Store& store, KeyChange change, table::TablePtr table, table::TablePtr copies)
      : store_(store), change_(std::move(change)), table_(std::move(table)), copies_(std::move(copies)) {}

  // Whether the record, as it is now, has its copy.
  Result<bool> has_copy(const Record& record) const {
    const auto copy = change_.forward(record.item.view());
    if (!copy) {
      return is_gone(record);
    }
    WAYBILL_TRY_ASSIGN(const auto found,
                       store_.get_together({{table_, record.key},
                                            {copies_, table::primary_key(copies_->key, copy->view())}}));
    if (!found[0] || !item::equal(found[0]->item.view(), record.item.view())) {
      return true;  // it has been written since, with its copy
    }
    return found[1] && item::equal(found[1]->item.view(), copy->view());
  }

  // Whether the copy, as it is now, is that of a record.
  Result<bool> has_record(const Record& copy) const {
    const auto record = change_.backward(copy.item.view());
    if (!record) {
      return false;
    }
    WAYBILL_TRY_ASSIGN(const auto found,
                       store_.get_together(
                           {{copies_, copy.key}, {table_, table::primary_key(table_->key, record->view())}}));
    return !found[0] || found[1];
  }

 private:
  Result<bool> is_gone(const Record& record) const {
    WAYBILL_TRY_ASSIGN(const auto found, store_.get(*table_, record.key));
    return !found || !item::equal(found->item.view(), record.item.view());
  }

  const store::Store& store_;
  const KeyChange change_;
  const table::TablePtr table_;
  const table::TablePtr copies_;
};

Result<Findings> verify_key(const store::Store& store, const Migration& migration,
                            const table::TablePtr& table, const Tell& tell) {
  const auto copies = store.find_table(migration.new_table);
  if (!copies) {
    return invalid("the table " + migration.new_table + " is gone");
  }
  WAYBILL_TRY_ASSIGN(auto change, KeyChange::make(migration, table->key));
  const KeyVerification verification(store, std::move(change), table, copies);
  Findings findings;
  const auto look = [&](const Record& record) -> Status {
    ++findings.records;
    WAYBILL_TRY_ASSIGN(const bool is_right, verification.has_copy(record));
    if (!is_right) {
      complain(*table, record.item.view(), findings);
    }
    return {};
  };
  WAYBILL_TRY(look_at_all(store, table, look, tell));
  const auto look_back = [&](const Record& copy) -> Status {
    WAYBILL_TRY_ASSIGN(const bool is_right, verification.has_record(copy));
    if (!is_right) {
      complain(*copies, copy.item.view(), findings);
    }
    return {};
  };
  WAYBILL_TRY(look_at_all(store, copies, look_back, tell));
  return findings;
}

}  // namespace

Result<Findings> verify_records(const store::Store& store, const Migration& migration, const Spared& spared,
                                const Tell& tell) {
  const auto table = store.find_table(migration.table);
  if (!table) {
    return Error{ErrorKind::not_found, "the table " + migration.table + " is gone", {}};
  }
  return migration.kind == Kind::key ? verify_key(store, migration, table, tell)
                                     : verify_field(store, migration, spared, table, tell);
}

}  // namespace waybill::migration
