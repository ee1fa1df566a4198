#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/model.h"
#include "item/number.h"
#include "rules/deployed.h"
#include "rules/expression.h"
#include "rules/slots.h"

namespace waybill::rules {

// A field of a record or of a map in it, ready to be checked and filled.
struct FieldPlan {
  std::string name;
  contract::FieldType type = contract::FieldType::any;
  bool required = false;
  bool dropped = false;    // where this server runs, it is not kept
  bool completes = false;  // something in it may have to be added or dropped
  std::vector<std::string> one_of;
  std::optional<item::Decimal> minimum;
  std::optional<item::Decimal> maximum;
  std::optional<int64_t> length_max;
  std::vector<FieldPlan> members;  // of a map
  std::vector<FieldPlan> element;  // of a list or a set: none or one
  std::string initial;             // encoded; of members of maps: what is there where nobody says
};

// What happens to a top-level field by itself.
struct Automatic {
  std::optional<Expression> initial;
  std::optional<Expression> computed;
  std::optional<contract::SetRule> set;
  std::vector<std::string> only_in;      // empty: all states
  uint16_t only_with = SlotNames::none;  // another field
  bool fixed = false;                    // never changes once it is there
};

struct MirrorPlan {
  std::vector<std::pair<std::string, Expression>> key;
  const contract::Mirror* mirror = nullptr;
};

struct EventPlan {
  const contract::Event* event = nullptr;
  std::vector<std::pair<std::string, Expression>> with;
};

// A key attribute that is made of fields.
struct KeyPlan {
  std::string attribute;
  const contract::TextTemplate* text = nullptr;
  Expression made;
};

// A kind of record, compiled: its fields by slot, and what is done with them.
struct KindPlan {
  const Kind* kind = nullptr;
  const contract::Record* record = nullptr;
  SlotNames names;
  std::vector<FieldPlan> fields;     // by slot; those that are not named by the contract take anything
  std::vector<Automatic> automatic;  // by slot
  // Slots that something happens to by itself, so that the others need not be looked at.
  std::vector<uint16_t> fixed;
  std::vector<uint16_t> with_default;
  std::vector<uint16_t> with_time;
  std::vector<uint16_t> passing;  // belonging to some states or to another field, or not kept here
  std::vector<uint16_t> completed;
  std::vector<uint16_t> computed;
  std::vector<std::pair<std::string, std::string>> state_counters;  // by state
  std::vector<KeyPlan> key;
  uint16_t status = SlotNames::none;
  uint16_t version = SlotNames::none;
  uint16_t ttl = SlotNames::none;
  uint16_t tenant = SlotNames::none;
  std::vector<uint16_t> trace;
  struct Reserve {
    uint16_t estimate = SlotNames::none;
    uint16_t reserved = SlotNames::none;
  };
  std::vector<Reserve> reserves;  // of counters
  std::vector<MirrorPlan> mirrors;
  std::vector<EventPlan> events;
  std::vector<std::pair<std::string, Expression>> message;
  std::optional<Expression> arrival_bucket;  // of the object that it waits for
  std::optional<Expression> arrival_key;
  std::string ready_state;  // in which it waits for a worker, and is announced by a message; "": none

  std::optional<Expression> idempotency_key;
  std::vector<uint16_t> idempotency_hash;
  uint16_t idempotency_within = SlotNames::none;
  uint16_t tags = SlotNames::none;
  uint16_t tags_within = SlotNames::none;
  uint16_t tags_newest_by = SlotNames::none;
  uint16_t audited_by = SlotNames::none;

  Slots gather(item::ItemView item) const;
};

struct Plan {
  DeployedPtr deployed;
  std::vector<KindPlan> kinds;
  bool publishes = false;  // events are told to somebody

  const KindPlan* find(std::string_view record) const;
  const KindPlan* find_role(contract::Role role) const;
};

Plan compile(DeployedPtr deployed);

}  // namespace waybill::rules
