#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "base/ulid.h"
#include "bucket/bucket_row.h"
#include "bucket/collector.h"
#include "bucket/object_row.h"
#include "bucket/rising_clock.h"
#include "bucket/rows.h"
#include "bucket/upload_row.h"
#include "object/byte_range.h"
#include "object/conditions.h"
#include "object/content_store.h"
#include "object/list_fold.h"
#include "store/store.h"

namespace waybill::bucket {

// What is to become an object: its name, and what its maker says of it.
struct NewObject {
  std::string bucket;
  std::string key;
  Description description;
  object::Conditions conditions;  // on what is there now
};

// An object, and its content at that moment.
struct OpenObject {
  ObjectRow row;
  object::ContentReader content;
};

// A page of a listing, in the order of keys.
struct ObjectPage {
  std::vector<ObjectRow> objects;
  std::vector<std::string> common_prefixes;
  bool is_truncated = false;
  object::ListPosition next;  // where it is truncated
};

struct UploadPage {
  std::vector<UploadRow> uploads;
  std::vector<std::string> common_prefixes;
  bool is_truncated = false;
};

struct UploadQuery {
  std::string prefix;
  std::string delimiter;
  std::string key_marker;
  std::string id_marker;  // "": behind all uploads of the key
  std::size_t entries_max = 1000;
};

struct PartPage {
  std::vector<PartRow> parts;
  bool is_truncated = false;
};

// One part of a list that completes an upload.
struct ListedPart {
  int number = 0;
  std::string etag;                     // without quotes
  std::optional<std::string> checksum;  // Base64
};

struct Completion {
  std::vector<ListedPart> parts;
  std::optional<ToldChecksum> checksum;  // of the whole, where the client says one
  std::optional<uint64_t> bytes;
  object::Conditions conditions;
};

// Buckets and the objects in them: names and descriptions as rows of the store, contents as files of a
// folder, or in another place.
//
// A content is on disk before its row is committed, and goes after the row has gone: whoever finds an object
// finds all of it, a crash at any moment leaves the old one or the new, and what it leaves besides is taken
// away (collector.h). Objects whose time is over are not there.
//
// Errors have the service's own code as their detail, see errors.h. All methods block their caller but for
// find_bucket() and find_object(); none may be called from a thread of the store's.
//
// Thread safety: every method may be called from any thread.
class Buckets {
 public:
  struct Options {
    std::string folder;  // of the contents, where they have no other place
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
    object::Disk* disk = nullptr;                            // null: the system's
    int64_t abandoned_upload_s = int64_t{7} * 24 * 60 * 60;  // that nobody completes
    // Opens the place of the contents, whose ids are to be made by this clock. Empty: the folder.
    using OpenPlace = std::function<Result<std::shared_ptr<object::ContentPlace>>(const Clock&)>;
    OpenPlace open_place = {};
  };

  // The store outlives it. Error in_use where another process has the folder.
  static Result<std::unique_ptr<Buckets>> open(store::Store& store, const Options& options);

  // --- buckets

  Result<std::optional<BucketRow>> find_bucket(std::string_view name) const;
  // Error not_found where there is none.
  Result<BucketRow> need_bucket(std::string_view name) const;
  // Error in_use where there is one, invalid where the name is none.
  Status create_bucket(std::string_view name);
  // Makes it where it is not there; its limits are these from then on, for objects that come later.
  Status ensure_bucket(std::string_view name, std::string_view contract, const Limits& limits);
  // Error in_use where it has objects. Uploads that are under way are aborted.
  Status remove_bucket(std::string_view name);
  Result<std::vector<BucketRow>> list_buckets() const;  // by name

  // --- objects

  Result<std::optional<ObjectRow>> find_object(std::string_view bucket, std::string_view key) const;

  // For bytes that come in.
  Result<object::ContentWriter> begin_content(const object::WriterOptions& options);

  // For a content that gets no name.
  void discard(const object::ContentId& content);

  // Gives a content its name. On failure the content is gone. Errors: not_found, condition_failed, too_large
  // and invalid by the bucket's limits.
  Result<ObjectRow> put_object(const NewObject& object, const object::StoredContent& content);

  // The content of an object as it was found; Error not_found where it is another one meanwhile.
  Result<object::ContentReader> open_content(const ObjectRow& object) const;
  // Both in one, also while others put it anew. Error not_found where bucket or object is not there.
  Result<OpenObject> open_object(std::string_view bucket, std::string_view key) const;

  // A copy of `source`, which is still what it was when it was found. Without a description it keeps its own.
  Result<ObjectRow> copy_object(const ObjectRow& source, NewObject target, bool keeps_description);

  // Whether there was one. Error condition_failed.
  Result<bool> remove_object(std::string_view bucket, std::string_view key,
                             const object::Conditions& conditions = {});

  // Several at once, without conditions, by one sync: what became of each, in order.
  Result<std::vector<Status>> remove_objects(std::string_view bucket, const std::vector<std::string>& keys);

  Result<ObjectPage> list_objects(std::string_view bucket, const object::ListQuery& query) const;

  // --- uploads in parts

  Result<UploadRow> create_upload(const NewObject& object, std::optional<AskedChecksum> checksum);
  // Error not_found where there is none.
  Result<UploadRow> need_upload(std::string_view bucket, std::string_view key, std::string_view id) const;
  // Gives a content its place as a part. On failure it is gone.
  Result<PartRow> put_part(const UploadRow& upload, int number, const object::StoredContent& content);
  Result<ObjectRow> complete_upload(const UploadRow& upload, const Completion& completion);
  Status abort_upload(const UploadRow& upload);
  Result<PartPage> list_parts(const UploadRow& upload, int after, std::size_t parts_max) const;
  Result<UploadPage> list_uploads(std::string_view bucket, const UploadQuery& query) const;

  // Takes away now what would be soon.
  Status collect() { return collector_->collect(); }
  Result<object::SweepReport> sweep(int64_t older_than_ms) { return collector_->sweep(older_than_ms); }

  int64_t now_ms() const { return clock_.wall_ms(); }

 private:
  Buckets(store::Store& store, const Options& options)
      : options_(options), clock_(*options.clock), rows_(store), ids_(*options.entropy) {}

  Status start();
  Result<object::ContentStore> open_contents() const;
  Status set_rules(std::string_view table, store::RulesPtr rules);
  Result<BucketRow> check_target(const NewObject& object, uint64_t bytes) const;
  Result<ObjectRow> commit_object(ObjectRow row, const object::Conditions& conditions,
                                  std::vector<store::Action> with);

  const Options options_;
  const RisingClock clock_;
  const Rows rows_;
  UlidMaker ids_;
  std::unique_ptr<object::ContentStore> contents_;
  std::unique_ptr<Collector> collector_;
};

}  // namespace waybill::bucket
