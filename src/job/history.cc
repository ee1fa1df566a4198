#include "job/history.h"

#include <utility>

#include "job/cursor.h"
#include "rules/system_tables.h"
#include "table/key.h"
#include "table/range.h"

namespace waybill::job {

namespace {

class Collect final : public store::Visitor {
 public:
  explicit Collect(std::size_t limit) : limit_(limit) {}

  bool visit(std::string_view key, item::ItemView item, uint32_t /*size_bytes*/) override {
    if (rows_.size() == limit_) {
      has_more_ = true;
      return false;
    }
    last_ = key;
    rows_.push_back({std::string(item.encoded())});
    return true;
  }

  Page page(std::string_view list) && {
    return {std::move(rows_), has_more_ ? print_cursor(list, last_) : std::string()};
  }

 private:
  const std::size_t limit_;
  std::vector<item::Item> rows_;
  std::string last_;
  bool has_more_ = false;
};

}  // namespace

Result<Page> history(const Services& services, const HistoryRequest& request) {
  if (request.limit < 1 || request.limit > list_limit_max) {
    return Error{ErrorKind::invalid, "A page has 1 to " + std::to_string(list_limit_max) + " rows", "limit"};
  }
  const Subject& subject = request.subject;
  WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_id(*subject.contract, *subject.kind, request.id));
  const auto path = rules::path_of(*subject.contract, *subject.kind, key.view());
  const auto table = services.store.find_table(rules::journal_table);
  if (!path || table == nullptr) {
    return Error{ErrorKind::unavailable, "The system's tables are not there", {}};
  }
  std::string value;
  item::append_scalar(value, item::Type::string, *path);
  table::KeyRange keys;
  table::append_partition(keys.begin, item::ValueView(value.data()));
  keys.end = table::after_prefix(keys.begin);
  const bool forward = request.order == Order::oldest;
  const std::string words = "history/" + *path + (forward ? ">" : "<");
  WAYBILL_TRY(resume(keys, words, request.cursor, forward));
  Collect collected(request.limit);
  WAYBILL_TRY(
      services.store.read({table, nullptr, keys.begin, keys.end, forward, request.limit + 1}, collected));
  return std::move(collected).page(words);
}

}  // namespace waybill::job
