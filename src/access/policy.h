#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/pattern.h"
#include "access/reach.h"

// What the holder of a key may do. Pure: nothing here knows of requests or of the store.
namespace waybill::access {

enum class Verb : unsigned char {
  read,   // items, streams, objects; messages: receive, and hide for longer
  write,  // items, objects; messages: send, delete
  admin,  // make, change and delete tables, queues and buckets, backups, restores, purges
};

// What an operation needs at least, before it is known what it is about.
enum class Need : unsigned char {
  nothing,    // it tells nothing of what is kept here
  something,  // any grant; it shows what the grants name
  read,
  write,
  read_or_write,
  admin,
  everything,  // all verbs for all tables, without limits
};

// What an operation says of itself in the list of its service; it cannot be left out there. What the
// operation is about is seen to when it is known: see store/restricted_store.h.
class Requires {
 public:
  explicit constexpr Requires(Need need) : need_(need) {}
  constexpr Need need() const { return need_; }

 private:
  Need need_;
};

// One thing that is allowed: these verbs, for the tables, contracts, queues and buckets that these patterns
// name.
struct Grant {
  std::vector<Pattern> tables;
  std::vector<Pattern> contracts;
  std::vector<Pattern> queues;
  std::vector<Pattern> buckets;
  std::vector<Pattern> object_keys;  // of buckets: only objects whose keys fit one of them; empty: all
  bool may_read = false;
  bool may_write = false;
  bool may_administer = false;
  LimitsPtr limits;  // of tables and contracts to some of their items; null: to none

  bool allows(Verb verb) const {
    return verb == Verb::read ? may_read : verb == Verb::write ? may_write : may_administer;
  }
};

// The grants of one key. What no grant allows is denied.
//
// Thread safety: const.
class Policy {
 public:
  // `tenant`: whose key it is; "" where nobody said.
  Policy(std::string tenant, std::vector<Grant> grants)
      : tenant_(std::move(tenant)), grants_(std::move(grants)) {}

  const std::string& tenant() const { return tenant_; }

  bool may(Need need) const;

  // Whether something may be done with the contract's records; to which of them is said by its reach.
  bool may(Verb verb, std::string_view contract) const { return !of_contract(verb, contract).is_nothing(); }
  Reach of_contract(Verb verb, std::string_view contract) const;

  // The system's own tables, whose names have a colon, are in nobody's reach.
  Reach of_table(Verb verb, std::string_view table) const;
  bool knows_table(std::string_view table) const;

  bool may_use_queue(Verb verb, std::string_view queue) const;
  bool knows_queue(std::string_view queue) const;
  bool may_use_all_queues(Verb verb) const;

  bool may_use_object(Verb verb, std::string_view bucket, std::string_view key) const;
  // Whether all keys that begin with the prefix may be known.
  bool may_list_objects(std::string_view bucket, std::string_view prefix) const;
  bool may_administer_bucket(std::string_view bucket) const;
  bool knows_bucket(std::string_view bucket) const;

 private:
  std::string tenant_;
  std::vector<Grant> grants_;
};

using PolicyPtr = std::shared_ptr<const Policy>;

}  // namespace waybill::access
