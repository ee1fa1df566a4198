#include "engine/catalog.h"

namespace waybill::engine {

namespace {

uint64_t next_catalog_id() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

Catalog::Catalog() : id_(next_catalog_id()), contents_(std::make_shared<const Contents>()) {}

const std::shared_ptr<const Catalog::Contents>& Catalog::current() const {
  struct Cached {
    uint64_t catalog = 0;
    uint64_t version = 0;
    std::shared_ptr<const Contents> contents;
  };
  thread_local Cached cached;
  const uint64_t version = version_.load(std::memory_order_acquire);
  if (cached.catalog != id_ || cached.version != version) {
    const std::lock_guard lock(mutex_);
    cached = {id_, version, contents_};
  }
  return cached.contents;
}

table::TablePtr Catalog::find(std::string_view name) const {
  const auto& now = current()->tables;
  const auto found = now.find(name);
  return found == now.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::names(std::string_view after, std::size_t limit) const {
  const auto& now = current()->tables;
  std::vector<std::string> listed;
  for (auto at = now.upper_bound(after); at != now.end() && listed.size() < limit; ++at) {
    if (at->first.find(':') == std::string::npos) {
      listed.push_back(at->first);
    }
  }
  return listed;
}

std::shared_ptr<const Catalog::Tables> Catalog::tables() const {
  const auto& contents = current();
  return {contents, &contents->tables};
}

table::StreamPtr Catalog::find_stream(std::string_view id) const {
  const auto& now = current()->streams;
  const auto found = now.find(id);
  return found == now.end() ? nullptr : found->second;
}

std::vector<table::StreamPtr> Catalog::streams() const {
  std::vector<table::StreamPtr> listed;
  for (const auto& [id, stream] : current()->streams) {
    listed.push_back(stream);
  }
  return listed;
}

table::BackupPtr Catalog::find_backup(std::string_view id) const {
  const auto& now = current()->backups;
  const auto found = now.find(id);
  return found == now.end() ? nullptr : found->second;
}

std::vector<table::BackupPtr> Catalog::backups() const {
  std::vector<table::BackupPtr> listed;
  for (const auto& [id, backup] : current()->backups) {
    listed.push_back(backup);
  }
  return listed;
}

std::vector<table::HeldTable> Catalog::held() const {
  std::vector<table::HeldTable> listed;
  for (const auto& [name, held] : current()->held) {
    listed.push_back(held);
  }
  return listed;
}

queue::QueuePtr Catalog::find_queue(std::string_view name) const {
  const auto& now = current()->queues;
  const auto found = now.find(name);
  return found == now.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::queue_names(std::string_view prefix, std::string_view after,
                                              std::size_t limit) const {
  const auto& now = current()->queues;
  std::vector<std::string> listed;
  auto at = after < prefix ? now.lower_bound(prefix) : now.upper_bound(after);
  for (; at != now.end() && at->first.starts_with(prefix) && listed.size() < limit; ++at) {
    listed.push_back(at->first);
  }
  return listed;
}

std::vector<queue::QueuePtr> Catalog::queues() const {
  std::vector<queue::QueuePtr> listed;
  for (const auto& [name, queue] : current()->queues) {
    listed.push_back(queue);
  }
  return listed;
}

void Catalog::publish(Contents contents) {
  auto next = std::make_shared<const Contents>(std::move(contents));
  {
    const std::lock_guard lock(mutex_);
    contents_ = std::move(next);
  }
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace waybill::engine
