#include "engine/catalog.h"

namespace waybill::engine {

namespace {

uint64_t next_catalog_id() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

Catalog::Catalog() : id_(next_catalog_id()), tables_(std::make_shared<const Tables>()) {}

const std::shared_ptr<const Catalog::Tables>& Catalog::current() const {
  struct Cached {
    uint64_t catalog = 0;
    uint64_t version = 0;
    std::shared_ptr<const Tables> tables;
  };
  thread_local Cached cached;
  const uint64_t version = version_.load(std::memory_order_acquire);
  if (cached.catalog != id_ || cached.version != version) {
    cached = {id_, version, tables()};
  }
  return cached.tables;
}

table::TablePtr Catalog::find(std::string_view name) const {
  const auto& now = *current();
  const auto found = now.find(name);
  return found == now.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::names(std::string_view after, std::size_t limit) const {
  const auto& now = *current();
  std::vector<std::string> listed;
  for (auto at = now.upper_bound(after); at != now.end() && listed.size() < limit; ++at) {
    listed.push_back(at->first);
  }
  return listed;
}

std::shared_ptr<const Catalog::Tables> Catalog::tables() const {
  const std::lock_guard lock(mutex_);
  return tables_;
}

void Catalog::publish(Tables tables) {
  auto next = std::make_shared<const Tables>(std::move(tables));
  {
    const std::lock_guard lock(mutex_);
    tables_ = std::move(next);
  }
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace waybill::engine
