#include "api/dynamodb/page.h"

#include <utility>

#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

// Takes entries until the page is full, and writes those that pass the filter as they come.
class Page final : public store::Visitor {
 public:
  Page(const store::Store& store, std::string& items) : store_(store), items_(items) {}

  // Reads the entries of one more range, until the page is full.
  Status read(const PageRequest& request);

  bool visit(std::string_view key, item::ItemView item, uint32_t size_bytes) override;

  int64_t count() const { return count_; }
  int64_t scanned() const { return scanned_; }
  bool is_full() const { return stopped_; }

  // Of the last range.
  void add_units(ConsumedUnits& consumed) const;

  // The key attributes to go on from; empty where the read came to its end.
  item::ItemView last_key() const { return item::ItemView(stopped_ ? last_key_ : std::string_view()); }
  const PageRequest* last_key_request() const { return last_key_request_; }

 private:
  bool take(std::string_view key, item::ItemView item);
  void append(item::ItemView item);
  void note_last_key(item::ItemView item);
  void count_units() const;

  const store::Store& store_;
  const PageRequest* request_ = nullptr;
  std::string& items_;
  std::string projected_;
  std::string last_key_;
  const PageRequest* last_key_request_ = nullptr;
  Status status_;
  int64_t count_ = 0;
  int64_t scanned_ = 0;
  uint64_t bytes_ = 0;
  uint64_t range_bytes_ = 0;
  double fetched_units_ = 0;
  bool stopped_ = false;
};

Status Page::read(const PageRequest& request) {
  request_ = &request;
  range_bytes_ = 0;
  fetched_units_ = 0;
  const auto& range = request.range;
  if (range.end.empty() || range.begin < range.end) {
    WAYBILL_TRY(store_.read(range, *this));
    WAYBILL_TRY(std::move(status_));
  }
  count_units();
  return {};
}

bool Page::visit(std::string_view key, item::ItemView item, uint32_t size_bytes) {
  if (scanned_ > 0 && bytes_ + size_bytes > page_bytes_max) {
    stopped_ = true;
    return false;
  }
  ++scanned_;
  bytes_ += size_bytes;
  range_bytes_ += size_bytes;
  if (!take(key, item)) {
    return false;
  }
  // A page that ends at its limit gives a key to go on from even where nothing follows.
  stopped_ = request_->limit && scanned_ >= *request_->limit;
  if (stopped_ || bytes_ + table::item_bytes_max > page_bytes_max) {
    note_last_key(item);  // the next entry may be too much
  }
  return !stopped_;
}

bool Page::take(std::string_view key, item::ItemView item) {
  std::optional<store::Found> found;
  if (request_->fetch_items) {
    const auto& range = request_->range;
    auto got = store_.get(*range.table, table::primary_of_entry(*range.index, key));
    if (!got) {
      status_ = std::move(got).error();
      return false;
    }
    found = *std::move(got);
    if (!found) {
      return true;  // deleted since the entry was read
    }
    item = found->item.view();
    fetched_units_ += request_->units.of(found->size_bytes);
  }
  if (!request_->filter || request_->filter->holds(item)) {
    append(item);
  }
  return true;
}

void Page::append(item::ItemView item) {
  ++count_;
  if (request_->count_only) {
    return;
  }
  if (count_ > 1) {
    items_.push_back(',');
  }
  if (!request_->projection) {
    item::append_json(items_, item);
    return;
  }
  projected_.clear();
  request_->projection->append_projected(projected_, item);
  item::append_json(items_, item::ItemView(projected_));
}

void Page::note_last_key(item::ItemView item) {
  last_key_.clear();
  last_key_request_ = request_;
  table::append_key_attributes(last_key_, *request_->range.table, request_->range.index, item);
}

// For the meter, of the last range.
void Page::count_units() const {
  const auto& range = request_->range;
  count_read(store_, range.index != nullptr ? range.index->space : range.table->space,
             request_->units.of(range_bytes_));
  if (fetched_units_ > 0) {
    count_read(store_, range.table->space, fetched_units_);
  }
}

void Page::add_units(ConsumedUnits& consumed) const {
  const double units = request_->units.of(range_bytes_);
  const auto* index = request_->range.index;
  if (index != nullptr) {
    consumed.add_index(index->name, index->kind, units);
    consumed.add_table(fetched_units_);
  } else {
    consumed.add_table(units);
  }
}

void append_summary(json::Writer& writer, const PageRequest& request, const Page& page) {
  writer.key("Count").integer(page.count()).key("ScannedCount").integer(page.scanned());
  if (const auto last_key = page.last_key(); !last_key.empty()) {
    item::append_json(writer.key("LastEvaluatedKey").value_place(), last_key);
  }
  if (request.capacity != CapacityDetail::none) {
    ConsumedUnits consumed(request.range.table->name);
    page.add_units(consumed);
    writer.key("ConsumedCapacity");
    consumed.append_json(writer, request.capacity);
  }
}

}  // namespace

Result<std::string> read_page(const store::Store& store, const PageRequest& request) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  if (!request.count_only) {
    writer.key("Items").begin_array();
  }
  Page page(store, out);
  WAYBILL_TRY(page.read(request));
  if (!request.count_only) {
    writer.end_array();
  }
  append_summary(writer, request, page);
  writer.end_object();
  return out;
}

Result<RangesPage> read_ranges(const store::Store& store, std::span<const PageRequest> requests) {
  RangesPage result{{}, {}, 0, ConsumedUnits(requests.front().range.table->name)};
  Page page(store, result.items);
  for (const auto& request : requests) {
    WAYBILL_TRY(page.read(request));
    page.add_units(result.consumed);
    if (page.is_full()) {
      result.last_key.encoded = page.last_key().encoded();
      result.last_key_range = static_cast<std::size_t>(page.last_key_request() - requests.data());
      break;
    }
  }
  return result;
}

}  // namespace waybill::api::dynamodb
