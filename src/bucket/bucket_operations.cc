// The part of Buckets that is about buckets themselves.
#include <utility>

#include "bucket/buckets.h"
#include "bucket/errors.h"
#include "object/names.h"
#include "rules/system_tables.h"

namespace waybill::bucket {

Result<std::optional<BucketRow>> Buckets::find_bucket(std::string_view name) const {
  WAYBILL_TRY_ASSIGN(const auto row, rows_.get(rules::buckets_table, key_of_bucket(name)));
  return row ? std::optional(read_bucket_row(row->view())) : std::nullopt;
}

Result<BucketRow> Buckets::need_bucket(std::string_view name) const {
  WAYBILL_TRY_ASSIGN(auto found, find_bucket(name));
  if (!found) {
    return no_such_bucket();
  }
  return *std::move(found);
}

Status Buckets::create_bucket(std::string_view name) {
  if (const auto checked = object::check_bucket_name(name); !checked) {
    return refusal("InvalidBucketName", checked.error().message);
  }
  BucketRow row;
  row.name = name;
  row.created_ms = clock_.wall_ms();
  auto put = put_row(rows_.table(rules::buckets_table), encode(row));
  put.condition = is_absent("name");
  store::Transaction transaction;
  transaction.actions.push_back(std::move(put));
  WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
  return outcome.kind == store::OutcomeKind::refused ? bucket_exists() : Status();
}

Status Buckets::ensure_bucket(std::string_view name, std::string_view contract, const Limits& limits) {
  if (const auto checked = object::check_bucket_name(name); !checked) {
    return refusal("InvalidBucketName",
                   "the bucket \"" + std::string(name) + "\": " + checked.error().message);
  }
  WAYBILL_TRY_ASSIGN(const auto present, find_bucket(name));
  BucketRow row = present.value_or(BucketRow{std::string(name), clock_.wall_ms(), {}, {}});
  if (present && row.contract == contract && row.limits == limits) {
    return {};
  }
  row.contract = contract;
  row.limits = limits;
  store::Transaction transaction;
  transaction.actions.push_back(put_row(rows_.table(rules::buckets_table), encode(row)));
  WAYBILL_TRY(rows_.commit(std::move(transaction)));
  return {};
}

Status Buckets::remove_bucket(std::string_view name) {
  WAYBILL_TRY(need_bucket(name));
  auto remove = remove_row(rows_.table(rules::buckets_table), key_of_bucket(name));
  remove.condition = is_there("name");
  store::Transaction transaction;
  transaction.actions.push_back(std::move(remove));
  WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
  if (outcome.kind == store::OutcomeKind::refused) {
    const Error& refusal = *outcome.results.front().refusal;
    return refusal.kind == ErrorKind::condition_failed ? no_such_bucket() : refusal;
  }
  std::vector<UploadRow> left;
  WAYBILL_TRY(rows_.read(rules::uploads_table, name, {}, [&](item::ItemView row) {
    left.push_back(read_upload_row(row));
    return true;
  }));
  for (const auto& upload : left) {
    WAYBILL_TRY(abort_upload(upload));
  }
  return {};
}

Result<std::vector<BucketRow>> Buckets::list_buckets() const {
  std::vector<BucketRow> buckets;
  WAYBILL_TRY(rows_.read(rules::buckets_table, "bucket", {}, [&](item::ItemView row) {
    buckets.push_back(read_bucket_row(row));
    return true;
  }));
  return buckets;
}

}  // namespace waybill::bucket
