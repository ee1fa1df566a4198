#include "archive/archiver.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/iso_time.h"
#include "base/json.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "item/json.h"
#include "item/number.h"
#include "rules/system_tables.h"
#include "table/key.h"
#include "transfer/compression.h"
#include "transfer/files.h"

namespace waybill::archive {

namespace {

constexpr std::size_t records_of_a_file_max = 10'000;
constexpr std::size_t bytes_of_a_file_max = 32 << 20;
constexpr std::size_t actions_at_once = 500;

int64_t whole(item::ItemView row, std::string_view name) {
  int64_t number = 0;
  if (const auto value = row.find(name); value && value->type() == item::Type::number) {
    item::Decimal::from_normal(value->bytes()).to_int64(number);
  }
  return number;
}

std::string text(item::ItemView row, std::string_view name) {
  const auto value = row.find(name);
  return value && value->type() == item::Type::string ? std::string(value->bytes()) : std::string();
}

Waiting read(item::ItemView row) {
  Waiting waiting{text(row, "contract"), whole(row, "seq"), whole(row, "at"), text(row, "record"), {}};
  if (const auto item = row.find("item"); item && item->type() == item::Type::map) {
    waiting.item.encoded = item->members().encoded();
  }
  return waiting;
}

item::Item key_of(const Waiting& waiting) {
  item::Item key;
  item::append_name(key.encoded, "contract");
  item::append_scalar(key.encoded, item::Type::string, waiting.contract);
  item::append_name(key.encoded, "seq");
  item::append_scalar(key.encoded, item::Type::number, std::to_string(waiting.number));
  return key;
}

// The first records of one contract, as many as fit a file.
class Gather final : public store::Visitor {
 public:
  bool visit(std::string_view /*key*/, item::ItemView row, uint32_t size_bytes) override {
    bytes_ += size_bytes;
    found.push_back(read(row));
    return found.size() < records_of_a_file_max && bytes_ < bytes_of_a_file_max;
  }
  std::vector<Waiting> found;

 private:
  std::size_t bytes_ = 0;
};

store::Range range_of(const table::TablePtr& table, const std::string& contract) {
  std::string value;
  item::append_scalar(value, item::Type::string, contract);
  store::Range range;
  range.table = table;
  table::append_partition(range.begin, item::ValueView(value.data()));
  range.end = table::after_prefix(range.begin);
  return range;
}

}  // namespace

std::string line_of(const Waiting& waiting) {
  std::string line = R"({"Item":)";
  item::append_json(line, waiting.item.view());
  line += R"(,"Record":)";
  json::append_string(line, waiting.record);
  line += R"(,"ArchivedAt":)";
  json::append_string(line, iso_time(waiting.time_ms));
  return line + "}\n";
}

std::string file_of(const Waiting& first) {
  constexpr std::size_t digits = 20;
  const std::string day = iso_time(first.time_ms).substr(0, 10);
  const std::string number = std::to_string(first.number);
  std::string path =
      first.contract + "/" + day.substr(0, 4) + "/" + day.substr(5, 2) + "/" + day.substr(8, 2) + "/";
  path.append(number.size() < digits ? digits - number.size() : 0, '0');
  return path + number + ".json.gz";
}

Archiver::Archiver(store::Store& store, Options options)
    : store_(store), options_(std::move(options)), thread_([this] {
        name_this_thread("archiver");
        run();
      }) {}

Archiver::~Archiver() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Archiver::run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(options_.interval_ms),
                            [this] { return stopping_; })) {
    lock.unlock();
    if (const auto done = run_once(); !done) {
      log_error("records could not be archived, and stay where they are: " + done.error().message);
    }
    lock.lock();
  }
}

Result<std::size_t> Archiver::run_once() {
  const std::lock_guard one_at_a_time(running_);
  std::size_t count = 0;
  WAYBILL_TRY_ASSIGN(const auto waiting, contracts());
  for (const auto& contract : waiting) {
    for (;;) {
      WAYBILL_TRY_ASSIGN(const auto records, next(contract));
      if (records.empty()) {
        break;
      }
      WAYBILL_TRY(write(records));
      WAYBILL_TRY(take_out(records));
      count += records.size();
    }
  }
  return count;
}

// Few: one jump for each.
Result<std::vector<std::string>> Archiver::contracts() const {
  struct First final : store::Visitor {
    bool visit(std::string_view /*key*/, item::ItemView row, uint32_t /*size_bytes*/) override {
      contract = text(row, "contract");
      return false;
    }
    std::string contract;
  };
  std::vector<std::string> found;
  store::Range range;
  range.table = store_.find_table(rules::archive_table);
  while (range.table != nullptr) {
    First first;
    WAYBILL_TRY(store_.read(range, first));
    if (first.contract.empty()) {
      break;
    }
    range.begin = range_of(range.table, first.contract).end;
    found.push_back(std::move(first.contract));
    if (range.begin.empty()) {
      break;
    }
  }
  return found;
}

Result<std::vector<Waiting>> Archiver::next(const std::string& contract) const {
  Gather gather;
  WAYBILL_TRY(store_.read(range_of(store_.find_table(rules::archive_table), contract), gather));
  return std::move(gather.found);
}

Status Archiver::write(const std::vector<Waiting>& records) const {
  std::string lines;
  for (const auto& record : records) {
    lines += line_of(record);
  }
  const std::string path = options_.folder + "/" + file_of(records.front());
  WAYBILL_TRY(transfer::make_folder(path.substr(0, path.rfind('/'))));
  return transfer::write_file(path, transfer::gzip(lines));
}

Status Archiver::take_out(const std::vector<Waiting>& records) {
  const auto table = store_.find_table(rules::archive_table);
  for (std::size_t begin = 0; begin < records.size(); begin += actions_at_once) {
    store::Transaction transaction;
    for (std::size_t i = begin; i < std::min(begin + actions_at_once, records.size()); ++i) {
      store::Action action;
      action.kind = store::ActionKind::remove;
      action.table = table;
      action.item = key_of(records[i]);
      action.key = table::primary_key(table->key, action.item.view());
      transaction.actions.push_back(std::move(action));
    }
    std::promise<store::Outcome> promise;
    auto done = promise.get_future();
    store_.commit(std::move(transaction),
                  [&](store::Outcome outcome) { promise.set_value(std::move(outcome)); });
    if (const auto outcome = done.get(); outcome.error) {
      return *outcome.error;
    }
  }
  return {};
}

}  // namespace waybill::archive
