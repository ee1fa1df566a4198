#include "rules/audit_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "item/number.h"
#include "item/plain_json.h"
#include "rules/audit.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

std::string text(item::ItemView item, std::string_view name) {
  const auto value = item.find(name);
  return value && value->type() == item::Type::string ? std::string(value->bytes()) : std::string();
}

int64_t whole(item::ItemView item, std::string_view name) {
  int64_t number = 0;
  if (const auto value = item.find(name); value && value->type() == item::Type::number) {
    item::Decimal::from_normal(value->bytes()).to_int64(number);
  }
  return number;
}

// What the store remembers of a trail's end.
struct TrailEnd {
  explicit TrailEnd(item::ItemView row) : count(whole(row, "count")), hash(text(row, "hash")) {}
  int64_t count;
  std::string hash;
};

// Follows one trail, line by line. The lines may be newer than the end that is known when it begins.
class Trail final : public store::Visitor {
 public:
  explicit Trail(TrailEnd known) : known_(std::move(known)) {}

  bool visit(std::string_view /*key*/, item::ItemView line, uint32_t /*size_bytes*/) override {
    if (!line.find("hash")) {
      clients_lines_.insert(sha256_hex(item::to_plain_json(line)));
      return true;
    }
    ++count_;
    const std::string where = "line " + std::to_string(count_);
    if (whole(line, "number") != count_) {
      fault_ = where + " is missing: the next one there is number " + std::to_string(whole(line, "number"));
    } else if (text(line, "previous") != hash_) {
      fault_ = where + " does not follow the one before it";
    } else if (hash_of_line(hash_, line) != text(line, "hash")) {
      fault_ = where + " is not what was written";
    }
    hash_ = text(line, "hash");
    if (!fault_ && count_ == known_.count && hash_ != known_.hash) {
      fault_ = where + " is not the one that was the last";
    }
    if (const auto details = line.find("details"); details && details->type() == item::Type::map) {
      if (const auto digest = text(details->members(), "line"); !digest.empty()) {
        noted_lines_.insert(digest);
      }
    }
    return !fault_;
  }

  // Once all lines were seen; `end` is what the store remembers now.
  std::optional<std::string> fault(const TrailEnd& end) const {
    if (fault_) {
      return fault_;
    }
    const bool is_other = count_ == end.count && hash_ != end.hash;
    if (count_ < known_.count || count_ > end.count || is_other) {
      return "it ends with line " + std::to_string(count_) + ", and has had " + std::to_string(end.count);
    }
    if (noted_lines_ != clients_lines_) {
      return "a line that a client wrote is not what was written, or is missing";
    }
    return {};
  }
  uint64_t count() const { return static_cast<uint64_t>(count_); }

 private:
  const TrailEnd known_;
  std::string hash_{first_hash};
  int64_t count_ = 0;
  std::optional<std::string> fault_;
  std::set<std::string> clients_lines_;
  std::set<std::string> noted_lines_;
};

void append_string_value(std::string& out, std::string_view value) {
  item::append_scalar(out, item::Type::string, value);
}

store::Range partition_of(const table::TablePtr& table, std::string_view value) {
  std::string encoded;
  append_string_value(encoded, value);
  store::Range range;
  range.table = table;
  table::append_partition(range.begin, item::ValueView(encoded.data()));
  range.end = table::after_prefix(range.begin);
  return range;
}

// The lines of a trail: in the contract's own table where it has a place for them, else in the journal.
Result<store::Range> range_of(const store::Store& store, const Deployed& deployed, const std::string& trail) {
  const auto own = std::ranges::find_if(
      deployed.kinds, [](const Kind& kind) { return kind.record->role == contract::Role::audit; });
  if (own == deployed.kinds.end()) {
    return partition_of(store.find_table(journal_table), "audit/" + trail);
  }
  const auto table = store.find_table(deployed.table);
  const std::string value = trail.substr(deployed.contract.name.size() + 1);
  const auto& key = own->record->key;
  const auto partition = key.find(table->key.partition.name);
  const auto sort = table->key.sort ? key.find(table->key.sort->name) : key.end();
  if (partition == key.end() || sort == key.end()) {
    return invalid("contract " + deployed.contract.name + ": its audit lines have no partition of their own");
  }
  const auto rendered = partition->second.render([&](const std::string& name) {
    const auto given = parameter(deployed.contract, name);
    return given ? given : std::optional(value);
  });
  auto range = partition_of(table, rendered.value_or(""));
  table::append_sort_prefix(range.begin, sort->second.prefix());
  range.end = table::after_prefix(range.begin);
  return range;
}

struct Ends final : store::Visitor {
  bool visit(std::string_view /*key*/, item::ItemView row, uint32_t /*size_bytes*/) override {
    if (text(row, "trail").starts_with(prefix)) {
      found.push_back(item::Item{std::string(row.encoded())});
    }
    return true;
  }
  std::string prefix;
  std::vector<item::Item> found;
};

}  // namespace

Result<AuditFindings> check_audit(const store::Store& store, const Deployed& deployed) {
  AuditFindings findings;
  store::Range all;
  all.table = store.find_table(trails_table);
  if (!all.table) {
    return findings;
  }
  Ends ends;
  ends.prefix = deployed.contract.name + "/";
  WAYBILL_TRY(store.read(all, ends));
  for (const auto& end : ends.found) {
    const std::string name = text(end.view(), "trail");
    WAYBILL_TRY_ASSIGN(const auto range, range_of(store, deployed, name));
    Trail trail(TrailEnd(end.view()));
    WAYBILL_TRY(store.read(range, trail));
    WAYBILL_TRY_ASSIGN(const auto now, store.get(*all.table, table::primary_key(all.table->key, end.view())));
    ++findings.trails;
    findings.lines += trail.count();
    if (const auto fault = trail.fault(TrailEnd(now ? now->item.view() : item::ItemView()))) {
      findings.faults.push_back("trail " + name + ": " + *fault);
    }
  }
  return findings;
}

}  // namespace waybill::rules
