// The part of Buckets that makes one object of an upload's parts.
#include <map>
#include <utility>

#include "bucket/buckets.h"
#include "bucket/errors.h"
#include "bucket/part_sizes.h"
#include "object/hash.h"
#include "object/multipart.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

// The parts that the client lists, in its order, which has to be theirs.
Result<std::vector<PartRow>> choose(const std::vector<ListedPart>& listed,
                                    const std::map<int, PartRow>& uploaded) {
  std::vector<PartRow> chosen;
  for (const auto& wanted : listed) {
    if (!chosen.empty() && wanted.number <= chosen.back().number) {
      return invalid_part_order();
    }
    const auto found = uploaded.find(wanted.number);
    const bool is_same = found != uploaded.end() && found->second.md5 == wanted.etag;
    const bool has_checksum =
        is_same &&
        (!wanted.checksum || (found->second.checksum && found->second.checksum->text == *wanted.checksum));
    if (!is_same || !has_checksum) {
      return invalid_part();
    }
    chosen.push_back(found->second);
  }
  return chosen;
}

Status check_sizes(const std::vector<PartRow>& parts) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i].bytes < object::part_bytes_min) {
      return part_too_small();
    }
  }
  return {};
}

std::string bytes_of_hex(std::string_view hex) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(value(hex[i]) * 16 + value(hex[i + 1])));
  }
  return bytes;
}

std::string etag_of(const std::vector<PartRow>& parts) {
  std::vector<std::string> sums;
  sums.reserve(parts.size());
  for (const auto& part : parts) {
    sums.push_back(bytes_of_hex(part.md5));
  }
  return object::multipart_etag(sums);
}

// Nothing where the upload asks for none, or its parts came without.
Result<std::optional<ToldChecksum>> checksum_of(const UploadRow& upload, const std::vector<PartRow>& parts) {
  if (!upload.checksum) {
    return std::optional<ToldChecksum>();
  }
  std::vector<object::PartChecksum> sums;
  for (const auto& part : parts) {
    if (!part.checksum || part.checksum->algorithm != upload.checksum->algorithm) {
      return std::optional<ToldChecksum>();
    }
    WAYBILL_TRY_ASSIGN(auto sum, object::read_checksum(part.checksum->algorithm, part.checksum->text));
    sums.push_back({part.bytes, std::move(sum.bytes)});
  }
  WAYBILL_TRY_ASSIGN(auto text,
                     object::object_checksum(upload.checksum->algorithm, upload.checksum->type, sums));
  return std::optional(ToldChecksum{upload.checksum->algorithm, upload.checksum->type, std::move(text)});
}

Status check_expected(const Completion& completion, const std::optional<ToldChecksum>& checksum,
                      uint64_t bytes) {
  if (completion.bytes && *completion.bytes != bytes) {
    return refusal("InvalidRequest", "The provided 'x-amz-mp-object-size' header value " +
                                         std::to_string(*completion.bytes) +
                                         " does not match what was computed: " + std::to_string(bytes));
  }
  if (completion.checksum && checksum && completion.checksum->algorithm == checksum->algorithm &&
      completion.checksum->text != checksum->text) {
    return Error{ErrorKind::bad_digest, "The checksum you specified did not match what we received.",
                 "BadDigest"};
  }
  return {};
}

std::string sizes_of(const std::vector<PartRow>& parts) {
  std::vector<uint64_t> sizes;
  sizes.reserve(parts.size());
  for (const auto& part : parts) {
    sizes.push_back(part.bytes);
  }
  return part_sizes(sizes);
}

uint64_t bytes_of(const std::vector<PartRow>& parts) {
  uint64_t bytes = 0;
  for (const auto& part : parts) {
    bytes += part.bytes;
  }
  return bytes;
}

Result<std::vector<object::ContentId>> contents_of(const std::vector<PartRow>& parts) {
  std::vector<object::ContentId> contents;
  for (const auto& part : parts) {
    auto id = object::ContentId::parse(part.content);
    if (!id) {
      return invalid_part();
    }
    contents.push_back(*std::move(id));
  }
  return contents;
}

}  // namespace

// The upload's row goes in the commit that brings the object: of two completions one finds it gone.
Result<ObjectRow> Buckets::complete_upload(const UploadRow& upload, const Completion& completion) {
  std::map<int, PartRow> uploaded;
  WAYBILL_TRY(rows_.read(rules::parts_table, upload.id, {}, [&](item::ItemView row) {
    auto part = read_part_row(row);
    uploaded.emplace(part.number, std::move(part));
    return true;
  }));
  WAYBILL_TRY_ASSIGN(const auto parts, choose(completion.parts, uploaded));
  WAYBILL_TRY(check_sizes(parts));
  const uint64_t bytes = bytes_of(parts);
  WAYBILL_TRY_ASSIGN(const auto bucket,
                     check_target({upload.bucket, upload.key, upload.description, {}}, bytes));
  WAYBILL_TRY_ASSIGN(auto checksum, checksum_of(upload, parts));
  WAYBILL_TRY(check_expected(completion, checksum, bytes));
  WAYBILL_TRY_ASSIGN(const auto contents, contents_of(parts));
  auto joined = contents_->join(contents);
  if (!joined) {
    return joined.error().kind == ErrorKind::not_found ? no_such_upload() : std::move(joined).error();
  }
  ObjectRow row{upload.bucket, upload.key,         joined->id.text(),   bytes,          etag_of(parts), 0,
                std::nullopt,  upload.description, std::move(checksum), sizes_of(parts)};
  if (bucket.limits.expires_s) {
    row.expires_s = clock_.wall_seconds() + *bucket.limits.expires_s;
  }
  auto finish =
      remove_row(rows_.table(rules::uploads_table), key_of_upload(upload.bucket, upload.key, upload.id));
  finish.condition = is_there("id");
  auto put = commit_object(std::move(row), completion.conditions, {std::move(finish)});
  if (!put) {
    discard(joined->id);
    return put.error().kind == ErrorKind::condition_failed && put.error().detail != "PreconditionFailed"
               ? no_such_upload()
               : std::move(put).error();
  }
  return put;
}

}  // namespace waybill::bucket
