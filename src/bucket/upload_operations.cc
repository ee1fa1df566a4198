// The part of Buckets that is about uploads in parts, but for their completion.
#include <utility>

#include "base/bytes.h"
#include "bucket/buckets.h"
#include "bucket/errors.h"
#include "object/list_fold.h"
#include "rules/system_tables.h"

namespace waybill::bucket {

Result<UploadRow> Buckets::create_upload(const NewObject& object, std::optional<AskedChecksum> checksum) {
  WAYBILL_TRY_ASSIGN(const auto bucket, need_bucket(object.bucket));
  WAYBILL_TRY(check_limits(bucket, object.description.content_type(), std::nullopt));
  UploadRow row;
  row.bucket = object.bucket;
  row.key = object.key;
  row.initiated_ms = clock_.wall_ms();
  row.id = ids_.make(row.initiated_ms);
  row.expires_s = row.initiated_ms / 1000 + options_.abandoned_upload_s;
  row.description = object.description;
  row.checksum = checksum;
  store::Transaction transaction;
  transaction.actions.push_back(need_row(rows_.table(rules::buckets_table), key_of_bucket(row.bucket)));
  transaction.actions.push_back(put_row(rows_.table(rules::uploads_table), encode(row)));
  WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
  if (outcome.kind == store::OutcomeKind::refused) {
    return no_such_bucket();
  }
  return row;
}

Result<UploadRow> Buckets::need_upload(std::string_view bucket, std::string_view key,
                                       std::string_view id) const {
  WAYBILL_TRY(need_bucket(bucket));
  WAYBILL_TRY_ASSIGN(const auto row, rows_.get(rules::uploads_table, key_of_upload(bucket, key, id)));
  if (!row) {
    return no_such_upload();
  }
  return read_upload_row(row->view());
}

Result<PartRow> Buckets::put_part(const UploadRow& upload, int number, const object::StoredContent& content) {
  PartRow row;
  row.upload = upload.id;
  row.number = number;
  row.content = content.id.text();
  row.bytes = content.bytes;
  row.md5 = hex_lower(content.md5);
  row.modified_ms = clock_.wall_ms();
  if (!content.checksums.empty()) {
    const auto& checksum = content.checksums.front();
    row.checksum =
        ToldChecksum{checksum.algorithm, object::ChecksumType::full_object, object::text_of(checksum)};
  }
  store::Transaction transaction;
  transaction.actions.push_back(
      need_row(rows_.table(rules::uploads_table), key_of_upload(upload.bucket, upload.key, upload.id)));
  transaction.actions.push_back(put_row(rows_.table(rules::parts_table), encode(row)));
  auto outcome = rows_.commit(std::move(transaction));
  if (!outcome || outcome->kind == store::OutcomeKind::refused) {
    discard(content.id);
    return outcome ? no_such_upload() : std::move(outcome).error();
  }
  return row;
}

// Its parts go with it: see upload_rules().
Status Buckets::abort_upload(const UploadRow& upload) {
  auto remove =
      remove_row(rows_.table(rules::uploads_table), key_of_upload(upload.bucket, upload.key, upload.id));
  remove.condition = is_there("id");
  store::Transaction transaction;
  transaction.actions.push_back(std::move(remove));
  WAYBILL_TRY_ASSIGN(const auto outcome, rows_.commit(std::move(transaction)));
  return outcome.kind == store::OutcomeKind::refused ? no_such_upload() : Status();
}

Result<PartPage> Buckets::list_parts(const UploadRow& upload, int after, std::size_t parts_max) const {
  PartPage page;
  WAYBILL_TRY(rows_.read(rules::parts_table, upload.id, {}, [&](item::ItemView row) {
    auto part = read_part_row(row);
    if (part.number <= after) {
      return true;
    }
    page.is_truncated = page.parts.size() == parts_max;
    if (!page.is_truncated) {
      page.parts.push_back(std::move(part));
    }
    return !page.is_truncated;
  }));
  return page;
}

// Uploads of one key stand behind each other and are each an entry; the fold sees the key once, and says
// where it belongs.
Result<UploadPage> Buckets::list_uploads(std::string_view bucket, const UploadQuery& query) const {
  WAYBILL_TRY(need_bucket(bucket));
  UploadPage page;
  const auto is_full = [&] { return page.uploads.size() + page.common_prefixes.size() >= query.entries_max; };
  const auto is_passed = [&](const UploadRow& row) {
    if (row.key != query.key_marker) {
      return row.key < query.key_marker;
    }
    return !query.key_marker.empty() && (query.id_marker.empty() || row.id <= query.id_marker);
  };
  WAYBILL_TRY(rows_.read(rules::uploads_table, bucket, query.prefix, [&](item::ItemView view) {
    auto row = read_upload_row(view);
    if (!row.key.starts_with(query.prefix)) {
      return false;
    }
    const auto end =
        query.delimiter.empty() ? std::string::npos : row.key.find(query.delimiter, query.prefix.size());
    const std::string group =
        end == std::string::npos ? std::string() : row.key.substr(0, end + query.delimiter.size());
    const bool is_known =
        !group.empty() && !page.common_prefixes.empty() && page.common_prefixes.back() == group;
    if (is_passed(row) || is_known || (!group.empty() && query.key_marker.starts_with(group))) {
      return true;
    }
    if (is_full()) {
      page.is_truncated = true;
      return false;
    }
    if (group.empty()) {
      page.uploads.push_back(std::move(row));
    } else {
      page.common_prefixes.push_back(group);
    }
    return true;
  }));
  return page;
}

}  // namespace waybill::bucket
