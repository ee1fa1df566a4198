#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "item/value.h"
#include "table/change_place.h"
#include "table/scaling.h"

// What a table is: its keys, its indexes, its settings. Plain data; a change makes a new one.
namespace waybill::table {

// Where the entries of a table or of one index stand among all keys of the store. Never used again.
using SpaceId = uint32_t;

struct KeyAttribute {
  std::string name;
  item::Type type = item::Type::string;  // string, number or binary
};

struct KeySchema {
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;

  bool has(std::string_view name) const { return partition.name == name || (sort && sort->name == name); }
};

enum class ProjectionKind : unsigned char { all, keys_only, include };

struct Projection {
  ProjectionKind kind = ProjectionKind::all;
  std::vector<std::string> attributes;  // of include
};

struct Throughput {
  int64_t read_units = 0;
  int64_t write_units = 0;
  int64_t last_increase_ms = 0;  // 0: never
  int64_t last_decrease_ms = 0;
  int64_t decreases_today = 0;
};

// -1: not limited.
struct OnDemandLimits {
  int64_t read_units_max = -1;
  int64_t write_units_max = -1;
};

enum class IndexKind : unsigned char { local, global };

struct Index {
  SpaceId space = 0;
  std::string name;
  IndexKind kind = IndexKind::global;
  KeySchema key;
  Projection projection;
  Throughput throughput;
  std::optional<OnDemandLimits> on_demand_limits;
  Scaling scaling;
  bool backfilling = false;  // entries of older items are still being added: not to be read yet

  // Whether it shows items as they are, so that its entries need hold nothing: the items are in the table.
  bool shows_whole_items() const { return projection.kind == ProjectionKind::all; }
};

struct TimeToLive {
  std::string attribute;  // empty: not enabled
  SpaceId space = 0;      // of the expiry index
  bool backfilling = false;
  int64_t changed_at_ms = 0;
  // There is no expiry index: whoever sweeps walks through the items, and comes by within hours. Nobody sees
  // an item whose time is over in the meantime. For tables with many small items that live long.
  bool is_walked = false;

  bool enabled() const { return !attribute.empty(); }
  bool has_index() const { return enabled() && !is_walked; }
};

enum class BillingMode : unsigned char { provisioned, pay_per_request };

struct Encryption {
  bool enabled = false;
  std::string key_id;  // as given by the client; may be empty
};

// What a stream shows of a changed item.
enum class StreamView : unsigned char { keys_only, new_image, old_image, new_and_old_images };

struct StreamSettings {
  bool enabled = false;
  StreamView view = StreamView::keys_only;
  std::string label;  // of the stream that is on, or of the last one

  bool shows_before() const {
    return view == StreamView::old_image || view == StreamView::new_and_old_images;
  }
  bool shows_after() const { return view == StreamView::new_image || view == StreamView::new_and_old_images; }
};

// Whether the table can be taken back to any moment of the last days.
struct Recovery {
  bool enabled = false;
  int64_t days = 35;
  int64_t since_ms = 0;  // when it was switched on; changes before that are not to be had

  // The earliest moment that can be had at `now_ms`.
  int64_t earliest_ms(int64_t now_ms) const;
};

// What a table's first items come from.
enum class OriginKind : unsigned char {
  empty,  // it began without any
  past,   // another table, as it was at some moment
  backup,
  import,  // files of another making, brought in by somebody above the store
};

struct Origin {
  OriginKind kind = OriginKind::empty;
  std::string table_name;   // of the table that it was made of, or that the backup was made of
  SpaceId table_space = 0;  // of that table; kind past
  ChangePlace until;        // of kind past: changes from here on are left out
  std::string backup_id;    // of kind backup
  int64_t moment_ms = 0;    // what it is a copy of: that table at this moment
};

enum class TableState : unsigned char {
  ready,
  being_made,     // its items are being brought in from its origin; nobody sees it yet
  being_deleted,  // a last backup is made of it; nobody sees it any more
};

struct Table {
  SpaceId space = 0;
  std::string name;
  std::string uuid;
  int64_t created_at_ms = 0;
  KeySchema key;
  std::vector<KeyAttribute> attribute_definitions;  // as given
  std::vector<Index> indexes;                       // local ones first, then global ones, as given
  BillingMode billing = BillingMode::provisioned;
  int64_t on_demand_since_ms = 0;
  Throughput throughput;
  std::optional<OnDemandLimits> on_demand_limits;
  Scaling scaling;
  TimeToLive ttl;
  std::vector<std::pair<std::string, std::string>> tags;
  bool deletion_protection = false;
  std::string table_class = "STANDARD";
  Encryption encryption;
  StreamSettings stream;
  SpaceId log = 0;  // where its changes are written down; 0: they never were
  Recovery recovery;
  Origin origin;
  TableState state = TableState::ready;
  bool has_rules = false;  // every change is judged by rules that somebody above the store gives it

  // Whether changes are written down.
  bool keeps_log() const { return stream.enabled || recovery.enabled; }

  const Index* find_index(std::string_view index_name) const;
  bool has_local_indexes() const;

  // The type that the key schemas give to this attribute, where they mention it.
  std::optional<item::Type> defined_type(std::string_view attribute) const;
};

using TablePtr = std::shared_ptr<const Table>;

// Tables between memory and disk: JSON text, {"format":2,…}.
std::string serialize(const Table& table);
Result<Table> deserialize(std::string_view text);

}  // namespace waybill::table
