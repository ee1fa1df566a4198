#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/value.h"
#include "store/queues.h"
#include "table/table.h"

// The part of the seam by which a table has rules: what may be written to it, and what comes with that.
namespace waybill::store {

// Who makes a change, by which way and why: for histories, and for what only some may do.
struct Author {
  std::string name;       // of a key, a worker, or "waybill" for what the system does by itself
  std::string operation;  // of the jobs API: "claim", "replay" …; "": a plain write
  std::string why;
  // A key that reaches some of the records alone, as a tenant's does, and administers nothing: what limits
  // tenants is not for it.
  bool is_limited = false;
};

// What rules found out about an item when they judged it, so that what comes later need not find it out
// again.
struct Judged {
  std::string_view item;    // the bytes that it is about
  uint32_t size_bytes = 0;  // of the item, by the service's counting

  virtual ~Judged() = default;
  bool is_about(item::ItemView other) const {
    return item.data() == other.encoded().data() && item.size() == other.encoded().size();
  }
};

// A change of one item that is about to be made. The views live until the call returns.
struct Proposal {
  const table::Table& table;
  std::string_view key;                  // table::primary_key
  std::optional<item::ItemView> before;  // what counts as being there
  std::optional<item::ItemView> after;   // nothing: it is removed
  const Author& author;
  bool expired = false;            // removed because its time to live had passed
  uint32_t after_bytes = 0;        // the size of `after` by the service's counting; 0: not known
  const Judged* judged = nullptr;  // for add_effects(): what judge() left, where it is at hand
};

// What is done together with a change, in the same commit and without being judged itself.
struct Effect {
  enum class Kind : unsigned char {
    put,     // `item` under `key` of `table`
    add,     // `item` to `table`, whose sort key is a number: the next one, where the item has none yet
    remove,  // what is under `key` of `table`
    send,    // `message` to `queue`; nothing where there is no such queue
    count,   // `delta` is added to the counter `counter`
    forget,  // all counters whose names begin with `counter`
  };
  Kind kind = Kind::put;
  table::TablePtr table;
  std::string key;
  item::Item item;
  std::string queue;
  std::shared_ptr<const NewMessage> message;
  std::string counter;
  int64_t delta = 0;
};
using Effects = std::vector<Effect>;

// What a judgement may look at: the store with all that was decided before, and that the same transaction
// would write.
class Ground {
 public:
  virtual ~Ground() = default;
  virtual int64_t now_ms() const = 0;
  // A number greater than any that was given before, also before a restart.
  virtual uint64_t next_number() = 0;
  // The table of this name; null where there is none.
  virtual table::TablePtr find_table(std::string_view name) const = 0;
  virtual Result<std::optional<item::Item>> get(const table::Table& table, std::string_view key) const = 0;
  // See Store::counter.
  virtual Result<int64_t> counter(const std::string& name) const = 0;
  // Whether the transaction has other changes besides the one that is judged; and what will come with that
  // one, which is there for the others from now on.
  virtual bool is_shared() const = 0;
  virtual void foresee(Effects effects) = 0;
};

struct Verdict {
  // It must not be made: condition_failed where another state would allow it, with the rule's name as detail;
  // invalid where none would, with the field's path; key_in_use with the id of the record that has the
  // idempotency key.
  std::optional<Error> refusal;
  std::optional<item::Item> instead;               // of `after`: with what the rules add and take away
  std::unique_ptr<const Judged> judged = nullptr;  // about the item that is to be written; may be null
};

// Rules of a table. They run inside the commit, for every writer.
//
// Thread safety: const methods may be called from any thread; the store calls them on its writer. They must
// not block but for what they read from the ground.
class Rules {
 public:
  virtual ~Rules() = default;

  // Whether the change may be made, and as what. An Error means the store is in trouble.
  virtual Result<Verdict> judge(const Proposal& proposal, Ground& ground) const = 0;

  // What comes with a change that is being made; `after` is what the verdict made of it. Effects of the
  // changes before it in the same transaction are on the ground already.
  virtual Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const = 0;

  // What an item that is there already adds to counters, where the rules are new to its table; and what is
  // done first.
  virtual void begin_counting(Effects& effects) const { static_cast<void>(effects); }
  virtual void add_to_counts(const table::Table& table, item::ItemView item, Effects& effects) const {
    static_cast<void>(table);
    static_cast<void>(item);
    static_cast<void>(effects);
  }

  // What is written down of a change that was refused, though nothing of the change is.
  virtual Status add_refusal(const Proposal& proposal, const Error& refusal, Ground& ground,
                             Effects& effects) const = 0;
};

using RulesPtr = std::shared_ptr<const Rules>;

// Whether rules were given to a table before, or what is in it has to be counted first: writes wait for that.
enum class RulesAre : unsigned char { known, fresh };

}  // namespace waybill::store
