#include "job/list.h"

#include <algorithm>
#include <utility>

#include "job/change.h"
#include "job/choose_range.h"
#include "job/cursor.h"
#include "job/list_tags.h"
#include "store/read_in_reach.h"

namespace waybill::job {

namespace {

// Entries that one page may go through to find what was asked for.
constexpr std::size_t examined_max = 10'000;

class Collect final : public store::Visitor {
 public:
  Collect(const ListRequest& request, const ChosenRange& range) : request_(request), range_(range) {}

  bool visit(std::string_view key, item::ItemView item, uint32_t /*size_bytes*/) override {
    if (records_.size() == request_.limit || examined_ == examined_max) {
      has_more_ = true;
      return false;
    }
    ++examined_;
    last_ = key;
    if (is_wanted(request_.subject, range_, item)) {
      records_.push_back({std::string(item.encoded())});
    }
    return true;
  }

  Page page(std::string_view list) && {
    return {std::move(records_), has_more_ ? print_cursor(list, last_) : std::string()};
  }

 private:
  const ListRequest& request_;
  const ChosenRange& range_;
  std::vector<item::Item> records_;
  std::size_t examined_ = 0;
  std::string last_;  // key of the last entry that was looked at
  bool has_more_ = false;
};

std::string words_of(const ListRequest& request, const ChosenRange& range) {
  std::string words = request.subject.contract->contract.name + "/" + request.subject.record().name + "/";
  words += (range.index == nullptr ? std::string() : range.index->name) + "/" + range.keys.begin;
  words += request.order == Order::newest ? "<" : ">";
  for (const auto& [name, value] : range.others) {
    words.append(name).append("=").append(value).append("&");
  }
  return words;
}

Result<Page> list_range(const Services& services, const ListRequest& request) {
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, request.subject));
  WAYBILL_TRY_ASSIGN(auto range, choose_range(request.subject, *table, request.fields, request.index));
  const std::string words = words_of(request, range);
  const bool forward = request.order == Order::oldest;
  WAYBILL_TRY(resume(range.keys, words, request.cursor, forward));
  Collect collected(request, range);
  const bool is_known = range.others.empty() && !request.reach;
  const store::Range entries{table,          range.index, range.keys.begin,
                             range.keys.end, forward,     is_known ? request.limit + 1 : 0};
  WAYBILL_TRY(request.reach ? store::read_in_reach(services.store, entries, *request.reach, collected)
                            : services.store.read(entries, collected));
  return std::move(collected).page(words);
}

}  // namespace

Result<Page> list(const Services& services, const ListRequest& request) {
  if (request.limit < 1 || request.limit > list_limit_max) {
    return Error{ErrorKind::invalid, "A page has 1 to " + std::to_string(list_limit_max) + " records",
                 "limit"};
  }
  return request.tags.empty() ? list_range(services, request) : list_by_tags(services, request);
}

}  // namespace waybill::job
