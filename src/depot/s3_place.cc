#include "depot/s3_place.h"

#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "depot/incoming_upload.h"
#include "depot/remote_content.h"

namespace waybill::depot {
namespace {

using object::ContentId;

Error out_of_order(const BucketClient& bucket) {
  return {ErrorKind::internal, "The storage of the objects cannot be listed.",
          bucket.name_of("") + ": pages of the listing do not follow one another"};
}

}  // namespace

S3Place::S3Place(const Options& options)
    : state_(std::make_shared<SharedState>(options.connection, options.location, options.patience,
                                           *options.clock, *options.entropy)),
      remover_([this](const std::stop_token& stop) {
        name_this_thread("contents");
        remove_those_closed(stop);
      }) {}

Result<std::unique_ptr<object::IncomingContent>> S3Place::create() {
  return std::unique_ptr<object::IncomingContent>(std::make_unique<IncomingUpload>(state_));
}

Result<std::unique_ptr<object::PlacedContent>> S3Place::open(const ContentId& id) const {
  return RemoteContent::open(state_, id);
}

Result<bool> S3Place::remove(const ContentId& id) {
  if (state_->may_remove(id)) {
    WAYBILL_TRY(state_->bucket.remove(id.text()));
  }
  return true;
}

void S3Place::remove_those_closed(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    for (const auto& id : state_->wait_removable(stop)) {
      if (const auto removed = state_->bucket.remove(id.text()); !removed) {
        log_error("a content that is gone could not be taken away, and will be by a sweep: " +
                  removed.error().detail);
      }
    }
  }
}

Status S3Place::visit(const Visit& visit) {
  for (std::string after;;) {
    WAYBILL_TRY_ASSIGN(const auto keys, state_->bucket.list(after));
    for (const auto& key : keys) {
      if (key <= after) {
        return out_of_order(state_->bucket);
      }
      after = key;
      if (key == mark_key) {
        continue;
      }
      auto id = ContentId::parse(key);
      const int64_t published_ms = id ? state_->published_ms(*id) : 0;
      WAYBILL_TRY(visit({std::move(id), published_ms}));
    }
    if (keys.empty()) {
      return {};
    }
  }
}

Status S3Place::clear_incoming(int64_t older_than_ms) {
  state_->forget_published(older_than_ms);
  for (UploadInProgress after;;) {
    WAYBILL_TRY_ASSIGN(const auto uploads, state_->bucket.list_uploads(after));
    for (const auto& upload : uploads) {
      if (std::pair(upload.key, upload.id) == std::pair(after.key, after.id)) {
        return out_of_order(state_->bucket);
      }
      const auto id = ContentId::parse(upload.key);
      if (id && id->committed_ms() < older_than_ms && !state_->is_being_made(*id)) {
        WAYBILL_TRY(state_->bucket.abort(upload));
      }
    }
    if (uploads.empty()) {
      return {};
    }
    after = uploads.back();
  }
}

}  // namespace waybill::depot
