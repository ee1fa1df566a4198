// The part of Buckets that gives contents their names.
#include <utility>

#include "base/bytes.h"
#include "bucket/buckets.h"
#include "bucket/errors.h"
#include "object/etag.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

constexpr int attempts_max = 20;  // to write over an object that others write as well

std::string_view name_of_condition(const object::Conditions& conditions) {
  return conditions.if_match ? "If-Match" : "If-None-Match";
}

bool has_conditions(const object::Conditions& conditions) {
  return conditions.if_match || conditions.if_none_match;
}

Status check_conditions(const object::Conditions& conditions, const std::optional<ObjectRow>& present) {
  const auto state =
      present ? std::optional(object::ObjectState{present->etag, present->modified_ms}) : std::nullopt;
  switch (object::decide_write(conditions, state ? &*state : nullptr)) {
    case object::WriteVerdict::not_there:
      return no_such_key();
    case object::WriteVerdict::precondition_failed:
      return precondition_failed(name_of_condition(conditions));
    case object::WriteVerdict::proceed:
      return {};
  }
  return {};
}

Error overtaken() {
  return {ErrorKind::unavailable, "The object is written by too many at once. Please try again.", "SlowDown"};
}

// What stands against a commit of [bucket is there, object is put, more …]; nothing where it is only that
// somebody else was faster.
std::optional<Error> refusal_of(const store::Outcome& outcome) {
  if (outcome.results.front().refusal) {
    return no_such_bucket();
  }
  for (std::size_t i = 2; i < outcome.results.size(); ++i) {
    if (outcome.results[i].refusal) {
      return outcome.results[i].refusal;
    }
  }
  const auto& put = outcome.results[1].refusal;
  return put && put->kind != ErrorKind::condition_failed ? put : std::nullopt;
}

std::optional<expression::Condition> still(const std::optional<ObjectRow>& present) {
  return present ? has_text("content", present->content) : is_absent("content");
}

}  // namespace

Result<std::optional<ObjectRow>> Buckets::find_object(std::string_view bucket, std::string_view key) const {
  WAYBILL_TRY_ASSIGN(const auto row, rows_.get(rules::objects_table, key_of_object(bucket, key)));
  return row ? std::optional(read_object_row(row->view())) : std::nullopt;
}

Result<BucketRow> Buckets::check_target(const NewObject& object, uint64_t bytes) const {
  WAYBILL_TRY_ASSIGN(auto bucket, need_bucket(object.bucket));
  WAYBILL_TRY(check_limits(bucket, object.description.content_type(), bytes));
  return bucket;
}

// The first action needs the bucket, the last ones are the caller's. Conditions are decided on what is there,
// and the commit holds only where that is still so: else it is decided anew.
Result<ObjectRow> Buckets::commit_object(ObjectRow row, const object::Conditions& conditions,
                                         std::vector<store::Action> with) {
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    row.modified_ms = clock_.wall_ms();
    auto put = put_row(rows_.table(rules::objects_table), encode(row));
    if (has_conditions(conditions)) {
      WAYBILL_TRY_ASSIGN(const auto present, find_object(row.bucket, row.key));
      WAYBILL_TRY(check_conditions(conditions, present));
      put.condition = still(present);
    }
    store::Transaction transaction;
    transaction.actions.push_back(need_row(rows_.table(rules::buckets_table), key_of_bucket(row.bucket)));
    transaction.actions.push_back(std::move(put));
    for (const auto& action : with) {
      transaction.actions.push_back(action);
    }
    WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
    if (outcome.kind != store::OutcomeKind::refused) {
      return row;
    }
    if (auto refusal = refusal_of(outcome)) {
      return *std::move(refusal);
    }
  }
  return overtaken();
}

Result<ObjectRow> Buckets::put_object(const NewObject& object, const object::StoredContent& content) {
  const auto put = [&]() -> Result<ObjectRow> {
    WAYBILL_TRY_ASSIGN(const auto bucket, check_target(object, content.bytes));
    ObjectRow row;
    row.bucket = object.bucket;
    row.key = object.key;
    row.content = content.id.text();
    row.bytes = content.bytes;
    row.etag = hex_lower(content.md5);
    row.description = object.description;
    if (bucket.limits.expires_s) {
      row.expires_s = clock_.wall_seconds() + *bucket.limits.expires_s;
    }
    if (!content.checksums.empty()) {
      const auto& checksum = content.checksums.front();
      row.checksum =
          ToldChecksum{checksum.algorithm, object::ChecksumType::full_object, object::text_of(checksum)};
    }
    return commit_object(std::move(row), object.conditions, {});
  };
  auto row = put();
  if (!row) {
    discard(content.id);
  }
  return row;
}

Result<ObjectRow> Buckets::copy_object(const ObjectRow& source, NewObject target, bool keeps_description) {
  if (keeps_description) {
    target.description = source.description;
  }
  WAYBILL_TRY_ASSIGN(const auto bucket, check_target(target, source.bytes));
  const auto id = object::ContentId::parse(source.content);
  if (!id) {
    return no_such_key();
  }
  WAYBILL_TRY_ASSIGN(const auto content, contents_->join(std::span(&*id, 1)));
  ObjectRow row = source;
  row.bucket = target.bucket;
  row.key = target.key;
  row.content = content.id.text();
  row.description = target.description;
  row.expires_s = bucket.limits.expires_s ? std::optional(clock_.wall_seconds() + *bucket.limits.expires_s)
                                          : std::nullopt;
  auto put = commit_object(std::move(row), target.conditions, {});
  if (!put) {
    discard(content.id);
  }
  return put;
}

Result<bool> Buckets::remove_object(std::string_view bucket, std::string_view key,
                                    const object::Conditions& conditions) {
  WAYBILL_TRY(need_bucket(bucket));
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    WAYBILL_TRY_ASSIGN(const auto present, find_object(bucket, key));
    WAYBILL_TRY(check_conditions(conditions, present));
    if (!present) {
      return false;
    }
    auto remove = remove_row(rows_.table(rules::objects_table), key_of_object(bucket, key));
    if (has_conditions(conditions)) {
      remove.condition = still(present);
    }
    store::Transaction transaction;
    transaction.actions.push_back(std::move(remove));
    WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
    if (outcome.kind != store::OutcomeKind::refused) {
      return true;
    }
  }
  return overtaken();
}

Result<std::vector<Status>> Buckets::remove_objects(std::string_view bucket,
                                                    const std::vector<std::string>& keys) {
  WAYBILL_TRY(need_bucket(bucket));
  const auto table = rows_.table(rules::objects_table);
  std::vector<store::Transaction> transactions(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    transactions[i].actions.push_back(remove_row(table, key_of_object(bucket, keys[i])));
  }
  std::vector<Status> removed;
  for (auto& outcome : rows_.commit_each(std::move(transactions))) {
    removed.push_back(outcome.error ? Status(*std::move(outcome.error)) : Status());
  }
  return removed;
}

}  // namespace waybill::bucket
