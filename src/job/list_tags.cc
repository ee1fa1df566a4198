#include "job/list_tags.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "job/change.h"
#include "job/choose_range.h"
#include "job/cursor.h"
#include "rules/system_tables.h"
#include "table/key.h"
#include "table/range.h"

namespace waybill::job {

namespace {

constexpr std::size_t tags_max = 20;
constexpr std::size_t examined_max = 20'000;  // rows that one page may go through
constexpr std::size_t stretch_max = 64;       // rows that are read at a time

struct Row {
  std::string place;
  std::string id;
};

std::string text_at(item::ItemView item, std::string_view name) {
  const auto value = item.find(name);
  return value ? std::string(value->bytes()) : std::string();
}

// The rows of one tag in order, a stretch at a time.
class TagRows final : public store::Visitor {
 public:
  TagRows(const store::Store& store, table::TablePtr table, std::string_view tag, bool forward)
      : store_(store), table_(std::move(table)), forward_(forward) {
    std::string value;
    item::append_scalar(value, item::Type::string, tag);
    table::append_partition(partition_, item::ValueView(value.data()));
  }

  // The first row at `place` or behind it, in the order of the walk; "": the first of all. Nothing at the
  // end. Places must not go back from call to call.
  Result<std::optional<Row>> seek(const std::string& place) {
    while (at_ < rows_.size() && !place.empty() && is_before(rows_[at_].place, place)) {
      ++at_;
    }
    if (at_ == rows_.size() && !ended_) {
      WAYBILL_TRY(read_from(place));
    }
    return at_ < rows_.size() ? std::optional(rows_[at_]) : std::nullopt;
  }

  std::size_t examined() const { return examined_; }

  bool is_before(const std::string& a, const std::string& b) const { return forward_ ? a < b : a > b; }

 private:
  Status read_from(const std::string& place) {
    table::KeyRange keys{partition_, table::after_prefix(partition_)};
    if (!place.empty()) {
      std::string value;
      item::append_scalar(value, item::Type::string, place);
      std::string key = partition_;
      table::append_sort(key, item::ValueView(value.data()));
      (forward_ ? keys.begin : keys.end) = forward_ ? key : table::after_prefix(key);
    }
    rows_.clear();
    at_ = 0;
    WAYBILL_TRY(store_.read({table_, nullptr, keys.begin, keys.end, forward_, stretch_max}, *this));
    ended_ = rows_.size() < stretch_max;
    return {};
  }

  bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
    ++examined_;
    rows_.push_back({text_at(item, "place"), text_at(item, "id")});
    return rows_.size() < stretch_max;
  }

  const store::Store& store_;
  const table::TablePtr table_;
  const bool forward_;
  std::string partition_;
  std::vector<Row> rows_;
  std::size_t at_ = 0;
  bool ended_ = false;
  std::size_t examined_ = 0;
};

// The first place in order that is behind `place`: no text that is stored has the byte ff.
std::string behind(const std::string& place, bool forward) {
  std::string next = place;
  if (forward) {
    next.push_back('\0');
    return next;
  }
  const auto last = static_cast<unsigned char>(next.back());
  next.pop_back();
  if (last > 0) {
    next.push_back(static_cast<char>(last - 1));
    next.append(8, '\xff');
  }
  return next;
}

// Walks several tags together.
class Walk {
 public:
  Walk(std::vector<TagRows> tags, TagMatch match, bool forward)
      : tags_(std::move(tags)), match_(match), forward_(forward) {}

  // The first record at `from` or behind it that has what is wanted; nothing at the end, or where enough was
  // looked at: then `reached` tells from where on there may be more.
  Result<std::optional<Row>> next(std::string from) {
    reached_ = from;
    while (!is_exhausted()) {
      WAYBILL_TRY_ASSIGN(auto round, look(from));
      if (round.ended) {
        return std::optional<Row>();
      }
      if (round.found) {
        return std::move(round.found);
      }
      from = round.place;
    }
    reached_ = std::move(from);
    return std::optional<Row>();
  }

  bool is_exhausted() const {
    std::size_t examined = 0;
    for (const auto& tag : tags_) {
      examined += tag.examined();
    }
    return examined >= examined_max;
  }
  const std::string& reached() const { return reached_; }

 private:
  struct Round {
    std::optional<Row> found;
    std::string place;  // where to go on
    bool ended = false;
  };

  bool is_before(const std::string& a, const std::string& b) const { return forward_ ? a < b : a > b; }

  // One look at each tag. Of `any` the first row counts; of `all` they must meet, and the last one tells
  // where they can meet at the earliest.
  Result<Round> look(const std::string& from) {
    std::optional<Row> first;
    std::optional<Row> last;
    bool has_ended = false;
    for (auto& tag : tags_) {
      WAYBILL_TRY_ASSIGN(auto row, tag.seek(from));
      if (!row) {
        has_ended = true;
        continue;
      }
      if (!last || is_before(last->place, row->place)) {
        last = row;
      }
      if (!first || is_before(row->place, first->place)) {
        first = std::move(row);
      }
    }
    Round round;
    round.ended = !first || (match_ == TagMatch::all && has_ended);
    if (!round.ended && (match_ == TagMatch::any || first->place == last->place)) {
      round.found = std::move(first);
    } else if (!round.ended) {
      round.place = last->place;
    }
    return round;
  }

  std::vector<TagRows> tags_;
  const TagMatch match_;
  const bool forward_;
  std::string reached_;
};

Result<std::string> within(const ListRequest& request) {
  const auto& tags = request.subject.record().tags;
  if (!tags) {
    return Error{
        ErrorKind::unsupported, "A " + request.subject.record().name + " has no tags by its contract", {}};
  }
  if (!tags->within) {
    return std::string();
  }
  const auto given = request.fields.find(tags->within->text);
  if (given == request.fields.end()) {
    return Error{ErrorKind::invalid, "Tags are looked for within one " + tags->within->text + ": give it",
                 tags->within->text};
  }
  return given->second;
}

Result<std::vector<TagRows>> rows_of(const Services& services, const ListRequest& request,
                                     const std::string& where) {
  const auto table = services.store.find_table(rules::tags_table);
  if (table == nullptr) {
    return Error{ErrorKind::unavailable, "The system's tables are not there", {}};
  }
  if (request.tags.size() > tags_max) {
    return Error{ErrorKind::invalid, "Up to " + std::to_string(tags_max) + " tags can be looked for at once",
                 "tag"};
  }
  std::vector<TagRows> rows;
  rows.reserve(request.tags.size());
  for (const auto& tag : request.tags) {
    rows.emplace_back(services.store, table,
                      rules::name_of_row(request.subject.contract->contract.name,
                                         request.subject.record().name, where, tag),
                      request.order == Order::oldest);
  }
  return rows;
}

std::string words_of(const ListRequest& request) {
  std::string words = request.subject.contract->contract.name + "/" + request.subject.record().name;
  words += request.match == TagMatch::any ? "|" : "&";
  words += request.order == Order::newest ? "<" : ">";
  for (const auto& tag : request.tags) {
    words += tag + "\n";
  }
  for (const auto& [name, value] : request.fields) {
    words.append(name).append("=").append(value).append("&");
  }
  return words;
}

Result<std::optional<item::Item>> record_of(const Services& services, const Subject& subject,
                                            const std::string& id) {
  WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_id(*subject.contract, *subject.kind, id));
  return find_record(services, subject, key.view());
}

bool is_shown(const ListRequest& request, const table::Table& table, item::ItemView record) {
  return (!request.reach || request.reach->covers(table, record)) && has_values(record, request.fields);
}

// A cursor tells of no record that is out of reach, so a page that shows none cannot be gone on from.
Status check_progress(const ListRequest& request, const Page& page) {
  if (request.reach && page.records.empty()) {
    return invalid("More than " + std::to_string(examined_max) +
                   " records have these tags and may not be read with this key: give more tags, or all of");
  }
  return {};
}

}  // namespace

Result<Page> list_by_tags(const Services& services, const ListRequest& request) {
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, request.subject));
  WAYBILL_TRY(check_fields(request.subject, *table, request.fields));
  WAYBILL_TRY_ASSIGN(const auto where, within(request));
  WAYBILL_TRY_ASSIGN(auto rows, rows_of(services, request, where));
  const std::string words = words_of(request);
  WAYBILL_TRY_ASSIGN(std::string from, parse_cursor(words, request.cursor));
  const bool forward = request.order == Order::oldest;
  Walk walk(std::move(rows), request.match, forward);
  Page page;
  std::string shown = from;  // behind the last record that is shown: where those with a reach go on
  while (true) {
    WAYBILL_TRY_ASSIGN(const auto row, walk.next(from));
    if (!row && walk.is_exhausted()) {
      WAYBILL_TRY(check_progress(request, page));
      page.next = print_cursor(words, request.reach ? shown : walk.reached());
    }
    if (!row) {
      return page;
    }
    const bool is_full = page.records.size() == request.limit;
    if (is_full && !request.reach) {
      page.next = print_cursor(words, row->place);
      return page;
    }
    WAYBILL_TRY_ASSIGN(auto record, record_of(services, request.subject, row->id));
    from = behind(row->place, forward);
    if (!record || !is_shown(request, *table, record->view())) {
      continue;
    }
    if (is_full) {
      page.next = print_cursor(words, shown);
      return page;
    }
    page.records.push_back(*std::move(record));
    shown = from;
  }
}

}  // namespace waybill::job
