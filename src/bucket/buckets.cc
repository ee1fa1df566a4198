#include "bucket/buckets.h"

#include <future>
#include <utility>

#include "base/log.h"
#include "bucket/errors.h"
#include "bucket/row_rules.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

constexpr int opening_attempts_max = 10;  // of an object that others write

}  // namespace

Result<std::unique_ptr<Buckets>> Buckets::open(store::Store& store, const Options& options) {
  std::unique_ptr<Buckets> buckets(new Buckets(store, options));
  WAYBILL_TRY(buckets->start());
  return buckets;
}

Status Buckets::start() {
  WAYBILL_TRY(rules::make_system_tables(rows_.store(), clock_.wall_ms(), *options_.entropy));
  WAYBILL_TRY(set_rules(rules::buckets_table, bucket_rules()));
  WAYBILL_TRY(set_rules(rules::objects_table, object_rules()));
  WAYBILL_TRY(set_rules(rules::uploads_table, upload_rules()));
  WAYBILL_TRY(set_rules(rules::parts_table, part_rules()));
  WAYBILL_TRY_ASSIGN(auto contents, open_contents());
  contents_ = std::make_unique<object::ContentStore>(std::move(contents));
  collector_ = std::make_unique<Collector>(rows_, *contents_, Collector::Options{&clock_});
  return {};
}

Result<object::ContentStore> Buckets::open_contents() const {
  if (!options_.open_place) {
    return object::ContentStore::open({options_.folder, &clock_, options_.entropy, options_.disk});
  }
  WAYBILL_TRY_ASSIGN(auto place, options_.open_place(clock_));
  return object::ContentStore(std::move(place));
}

Status Buckets::set_rules(std::string_view table, store::RulesPtr rules) {
  auto promise = std::make_shared<std::promise<Status>>();
  auto set = promise->get_future();
  rows_.store().set_rules(std::string(table), std::move(rules), store::RulesAre::known,
                          [promise](Status status) { promise->set_value(std::move(status)); });
  return set.get();
}

// What cannot be removed now is swept later.
void Buckets::discard(const object::ContentId& content) {
  if (const auto removed = contents_->remove(content); !removed) {
    log_error("the content " + content.text() + " could not be removed: " + for_log(removed.error()));
  }
}

Result<object::ContentWriter> Buckets::begin_content(const object::WriterOptions& options) {
  return contents_->begin(options);
}

Result<object::ContentReader> Buckets::open_content(const ObjectRow& object) const {
  const auto id = object::ContentId::parse(object.content);
  if (!id) {
    return Error{
        ErrorKind::corruption, "the row of " + object.bucket + "/" + object.key + " has no content", {}};
  }
  return contents_->read(*id);
}

Result<OpenObject> Buckets::open_object(std::string_view bucket, std::string_view key) const {
  WAYBILL_TRY(need_bucket(bucket));
  for (int attempt = 0; attempt < opening_attempts_max; ++attempt) {
    WAYBILL_TRY_ASSIGN(auto found, find_object(bucket, key));
    if (!found) {
      return no_such_key();
    }
    auto content = open_content(*found);
    if (content) {
      return OpenObject{*std::move(found), *std::move(content)};
    }
    if (content.error().kind != ErrorKind::not_found) {
      return std::move(content).error();
    }
  }
  return Error{ErrorKind::corruption,
               "the content of " + std::string(bucket) + "/" + std::string(key) + " is not there",
               {}};
}

}  // namespace waybill::bucket
