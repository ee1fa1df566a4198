#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_function.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "item/value.h"
#include "store/queues.h"
#include "store/rules.h"
#include "table/backup.h"
#include "table/note.h"
#include "table/stream.h"
#include "table/table.h"
#include "usage/meter.h"
#include "usage/minute.h"

namespace waybill::access {
class Reach;
}

// The seam: all that the upper floors know of storage.
namespace waybill::store {

enum class ActionKind : unsigned char {
  put,
  update,
  remove,
  check,
  send,    // a message
  settle,  // a message that was received
  hold,    // nothing is done, but the receive must still hold
};

// The part of an action that is about a queue. A settlement is refused with condition_failed where the
// receive does not hold any more: its time is over, or the message was received again.
struct MessageAction {
  std::string queue;
  NewMessage message;     // of kind send
  Settlement settlement;  // of kinds settle and hold
};

// One step of a transaction. The item it is about is the one under `key` of `table`; where it is about a
// message, there is no table.
struct Action {
  ActionKind kind = ActionKind::put;
  std::shared_ptr<const MessageAction> message;  // of kinds send, settle and hold
  table::TablePtr table;    // as the caller saw it; the store goes by the table's state at the commit
  std::string key;          // table::primary_key
  item::Item item;          // put: the item. Others: its key attributes alone
  uint32_t item_bytes = 0;  // of kind put: the item's size by the service's counting, 0: not computed yet
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;  // of kind update
  // What the author may reach of the table's items; null: everything, or the key says that this one is. An
  // item out of reach counts as not being there. Refused with access_denied is what would write over it,
  // leave one that is out of reach, or remove what is not seen.
  std::shared_ptr<const access::Reach> reach;
  bool wants_before = false;  // results carry the item before, after, or as it made the
  bool wants_after = false;   // condition fail
  bool wants_item_on_failure = false;
  bool wants_index_units = false;  // results tell what each index cost
};

// Makes a transaction happen once: a second one with the same token within ten minutes is not applied.
struct RequestToken {
  std::string token;
  std::string fingerprint;  // of the parameters; a second use with another one is an error
};

struct Transaction {
  std::vector<Action> actions;  // no two of them about the same item
  std::optional<RequestToken> token;
  bool costs_double = false;             // to the service: a transaction rather than a single write
  std::shared_ptr<const Author> author;  // null: the system itself
};

// What an index entry's change weighs: sizes by the service's counting, 0 where there was or is none.
struct IndexChange {
  std::string index;
  table::IndexKind kind = table::IndexKind::global;
  uint32_t removed_bytes = 0;  // an entry taken away under another key than the one written
  uint32_t written_bytes = 0;  // an entry written: the larger of old and new where it was replaced in place
};

struct ActionResult {
  std::optional<Error> refusal;  // why this action can't be done: condition_failed, invalid …
  std::optional<item::Item> before;
  std::optional<item::Item> after;
  uint32_t before_bytes = 0;  // sizes by the service's counting, 0 for no item
  uint32_t after_bytes = 0;
  std::vector<IndexChange> index_changes;
};

enum class OutcomeKind : unsigned char {
  committed,  // every action is applied and on disk
  repeated,   // its token was used before: applied then, nothing done now
  refused,    // nothing applied; the results say which actions stood against it
  failed,     // nothing applied; `error` says why
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::committed;
  std::vector<ActionResult> results;  // one per action, in order; not for failed
  std::optional<Error> error;         // of failed
};

using Done = UniqueFunction<void(Outcome)>;
using EachDone = UniqueFunction<void(std::vector<Outcome>)>;

// A read of neighbouring entries of a table or an index.
struct Range {
  table::TablePtr table;
  const table::Index* index = nullptr;  // of `table`; null: the table itself
  std::string begin;                    // keys without their space: from here on …
  std::string end;                      // … up to, not including, this; empty: to the end of the space
  bool forward = true;
  std::size_t count_wanted =
      0;  // how many entries the visitor will take, as far as that is known; 0: it is not
};

// Called for each entry in order, with its projected item and its size by the service's counting.
// Returning false ends the read. Views live until it returns.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual bool visit(std::string_view key, item::ItemView item, uint32_t size_bytes) = 0;
};

enum class ChangeKind : unsigned char { insert, modify, remove };

// One change of an item, as the change log of its table has it.
struct Change {
  table::ChangePlace place;
  ChangeKind kind = ChangeKind::modify;
  bool expired = false;                  // removed because its time to live had passed, not by a client
  item::ItemView keys;                   // has the item's key attributes, maybe among others
  std::optional<item::ItemView> before;  // where the log keeps it and there was an item
  std::optional<item::ItemView> after;
};

// Changes of one log between two places, in the order of their commits.
struct ChangeRange {
  table::SpaceId log = 0;
  table::ChangePlace begin;
  table::ChangePlace end;  // not included
};

// Called for each change in order. Returning false ends the read. Views live until it returns.
class ChangeVisitor {
 public:
  virtual ~ChangeVisitor() = default;
  virtual bool visit(const Change& change) = 0;
  // The read ends here, though there is more: behind a change that is not shown, after many of them.
  virtual void stop_behind(const table::ChangePlace& place) { static_cast<void>(place); }
};

// Minutes from `begin` up to, not including, `end`.
struct MinuteRange {
  int64_t begin = 0;
  int64_t end = 0;
};

// Called for each minute that something was used in, in order. Returning false ends the read.
class UsageVisitor {
 public:
  virtual ~UsageVisitor() = default;
  virtual bool visit(int64_t minute, const usage::Minute& used) = 0;
};

struct Stats {
  int64_t items = 0;
  int64_t bytes = 0;  // by the service's counting
};

// An item as read, with its size by the service's counting.
struct Found {
  item::Item item;
  uint32_t size_bytes = 0;
};

struct GetRequest {
  table::TablePtr table;
  std::string key;
};

// Changes a table's description; sees the current one and returns the next. Runs on the writer, between
// transactions, so no write can come in between. Return an Error to leave all as it is.
using TableChange = UniqueFunction<Result<table::Table>(const table::Table&)>;
using TableDone = UniqueFunction<void(Result<table::TablePtr>)>;

// What a new table is to be made of: a backup where `backup_id` is given, else a table as it was at some
// moment, now where no time is given.
struct RestoreSource {
  std::string table;
  std::optional<int64_t> time_ms;
  std::string backup_id;
};

using BackupDone = UniqueFunction<void(Result<table::BackupPtr>)>;

// A table at a moment that somebody wants to read at leisure.
struct WantedPast {
  std::string table;
  std::optional<int64_t> time_ms;  // absent: now
  bool without_recovery = false;   // a table without recovery will do, as it is when it is read
};

// Makes the note that goes with what is held. Runs on the writer; an Error leaves all as it is.
using MakeNote = UniqueFunction<Result<table::Note>(const table::Table&, const table::HeldTable&)>;
using NoteDone = UniqueFunction<void(Status)>;

// What becomes of a table whose items somebody above the store has brought in, or could not.
enum class ImportEnd : unsigned char { keep, discard };

// Called from time to time with how much is done; false ends the work early.
using Progress = std::function<bool(uint64_t done_bytes, uint64_t total_bytes)>;

// A copy of a whole store in a folder.
struct StoreBackup {
  uint32_t number = 0;
  int64_t created_ms = 0;
  uint64_t bytes = 0;
  uint64_t new_bytes = 0;  // that no earlier backup in the folder had; only known when it is made
  uint64_t files = 0;
};

// Keeps tables and items, and changes them only in whole transactions.
//
// Reads see the last committed transaction. An item whose time to live has passed is never seen, by reads
// or by conditions.
//
// Thread safety: every method may be called from any thread. Callbacks come on a thread of the store's:
// they must not block it.
// Failure: after a failed write to disk the process ends; nothing is acknowledged that is not on disk.
class Store {
 public:
  virtual ~Store() = default;

  // Applies every action of `transaction`, or none. `done` is called once, after the outcome is on disk.
  virtual void commit(Transaction transaction, Done done) = 0;

  // The same for several transactions that have nothing to do with each other: each is applied or refused by
  // itself, and one sync serves them all. `done` is called once, with their outcomes in order.
  virtual void commit_each(std::vector<Transaction> transactions, EachDone done) = 0;

  virtual Result<std::optional<Found>> get(const table::Table& table, std::string_view key) const = 0;

  // Several items as of one moment, in order.
  virtual Result<std::vector<std::optional<Found>>> get_together(
      const std::vector<GetRequest>& requests) const = 0;

  virtual Status read(const Range& range, Visitor& visitor) const = 0;

  // Changes that a stream was on for. Every change that was committed is there once.
  virtual Status read_changes(const ChangeRange& range, ChangeVisitor& visitor) const = 0;

  // The place behind the last change of a log.
  virtual Result<table::ChangePlace> end_of_log(table::SpaceId log) const = 0;

  // Streams that are on, and those of the last day that are not: by table, then by label.
  virtual std::vector<table::StreamPtr> streams() const = 0;
  virtual table::StreamPtr find_stream(std::string_view table_name, std::string_view label) const = 0;

  // Whether every change before that moment is committed: none will come whose time is less.
  virtual bool is_past(int64_t time_ms) const = 0;

  // Whether whoever asks through this object may know of the table of that name; see RestrictedStore. Error
  // access_denied where not, whether there is one or not.
  virtual Status may_know(std::string_view table) const;

  // The table of this name, or null. Cheap: no lock, no copy.
  virtual table::TablePtr find_table(std::string_view name) const = 0;

  // Up to `limit` names in order, after `after`. Tables whose name has a colon are the system's own: they are
  // found by name, and are in no list.
  virtual std::vector<std::string> list_tables(std::string_view after, std::size_t limit) const = 0;

  // Creates the table. Space ids are given by the store. Error in_use where the name is taken,
  // limit_exceeded where there are too many tables.
  virtual void create_table(table::Table table, TableDone done) = 0;

  // Replaces the description by what `change` makes of it. New indexes (space 0) get their space and are
  // filled in the background, dropped ones are emptied in the background. Error not_found where there is no
  // such table.
  virtual void change_table(std::string name, TableChange change, TableDone done) = 0;

  // Error not_found where there is no such table; `check` may refuse. Hands over what the table was. One with
  // recovery leaves a backup of its last moment, and is there in state being_deleted until that is made.
  virtual void delete_table(std::string name, UniqueFunction<Status(const table::Table&)> check,
                            TableDone done) = 0;

  // Makes a table of what another was. `make` gets the description of that one, as it is now or as the backup
  // has it, and returns the new one's. The table is there at once in state being_made; its items follow in
  // the background, and then it is ready. Errors: table_not_found, table_exists, recovery_unavailable,
  // invalid_restore_time, backup_not_found, backup_in_use, limit_exceeded.
  virtual void restore_table(RestoreSource source, TableChange make, TableDone done) = 0;

  // Makes a backup of the table as it is when `done` is called; its items are copied in the background.
  // Errors: table_not_found, table_in_use.
  virtual void create_backup(std::string table, std::string backup_name, BackupDone done) = 0;
  // Errors: backup_not_found, backup_in_use.
  virtual void delete_backup(std::string id, BackupDone done) = 0;
  virtual table::BackupPtr find_backup(std::string_view id) const = 0;
  virtual std::vector<table::BackupPtr> backups() const = 0;  // by id

  // Notes are there again after a restart. One that holds a table does so until it is put without, or
  // forgotten.
  virtual void put_note(table::Note note, NoteDone done) = 0;
  virtual void forget_note(std::string name, NoteDone done) = 0;
  // Those whose names begin with `prefix`, by name, as of the last commit.
  virtual Result<std::vector<table::Note>> notes(std::string_view prefix) const = 0;

  // Begins to hold a table as it was at a moment. Errors: table_not_found, table_in_use,
  // recovery_unavailable, invalid_export_time, and what `make` says.
  virtual void hold_table(WantedPast wanted, MakeNote make, NoteDone done) = 0;

  // The items of a table that is held, by rising key, behind the key `after` ("": from the beginning). Each
  // call sees one state; for a table of the past it is the same one every time. Blocks its caller.
  virtual Status read_held(const table::HeldTable& held, std::string_view after, Visitor& visitor) = 0;

  // Makes a table in state being_made whose items the caller brings in with commit_each, and keeps the note
  // in the same commit. Errors: in_use where the name is taken, limit_exceeded.
  virtual void begin_import(table::Table table, table::Note note, TableDone done) = 0;
  // From here on everybody sees the table, or it is gone; the note is kept in the same commit.
  virtual void end_import(std::string table, ImportEnd end, table::Note note, NoteDone done) = 0;

  // Adds a copy of the whole store, as it is now, to those in a folder; then deletes all but the newest
  // `keep`, none where that is 0. Takes long; blocks its caller and nobody else. Error unavailable where the
  // store lives elsewhere and is backed up there.
  virtual Result<StoreBackup> back_up(const std::string& folder, uint32_t keep, const Progress& progress) = 0;

  // Items and bytes of a table or an index: exact, as of the last commit.
  virtual Stats stats(table::SpaceId space) const = 0;

  // Counts what requests use. Writes are counted by the store itself, and a write that is refused costs what
  // the service asks for it; reads by those who answer them. The store writes each minute down soon after it
  // is over, and forgets it after usage::days_kept(), or with its table or index.
  virtual usage::Meter& meter() const = 0;

  // What a table or an index was used for, with all that was counted before the call. Waits for the disk.
  virtual Status read_usage(table::SpaceId space, MinuteRange range, UsageVisitor& visitor) = 0;

  // From here on every change of the table's items is judged by `rules`; null: by nobody. They are not kept:
  // whoever knows them gives them again after a restart. Error not_found where there is no such table.
  virtual void set_rules(std::string table, RulesPtr rules, RulesAre are, UniqueFunction<void(Status)> done);

  // A counter that rules keep, as of the last commit; 0 where there is none of that name.
  virtual Result<int64_t> counter(std::string_view name) const;

  // From here on `follower` is told of the items that rules put into the table, batch by batch: after their
  // commit is on disk, in the order of the commits, on a thread of the store's. Null: nobody is. Once the
  // call returns, what was committed before can be read, and all that comes later is told, or none of it; so
  // it must not come from a thread of the store's. A table that is not there is followed by nobody. Whoever
  // follows says so again after a restart.
  using Follower = std::function<void(std::vector<item::Item> items)>;
  virtual void follow(std::string table, Follower follower);

  // Null: this store keeps no queues.
  virtual Queues* queues() { return nullptr; }

  // How many bytes the entries between two keys of a space take, roughly.
  virtual uint64_t approximate_bytes(table::SpaceId space, std::string_view begin,
                                     std::string_view end) const = 0;
};

}  // namespace waybill::store
