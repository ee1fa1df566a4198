#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "rules/adoption_book.h"
#include "rules/deployed.h"
#include "store/store.h"

namespace waybill::rules {

// A contract that somebody wants to be in force.
struct Application {
  std::string file;  // its name, for what is said of it
  std::string text;
  std::map<std::string, std::string> parameters;
};

// What a queue is for.
struct QueueUse {
  std::string contract;
  std::string record;
  bool is_dead_letters = false;  // of work that was given up
};

// The contracts that are in force. They are kept in the store, and hold again after a restart before anybody
// can write.
//
// Thread safety: every method may be called from any thread.
class Contracts {
 public:
  struct Options {
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
    // What a table's rules become: those of its contract, or null where it has none, with more around them.
    // Empty: they stay as they are. May be called from any thread.
    std::function<store::RulesPtr(const std::string& table, const Deployed* deployed, store::RulesPtr rules)>
        wrap = {};
    // What else must be so before a contract is put in force. Empty: nothing. May be called from any thread.
    std::function<Status(const Deployed& deployed)> check = {};
    // Makes what the contract asks for besides its table and queues, where it is not there yet. Empty:
    // nothing. May be called from any thread.
    std::function<Status(const Deployed& deployed)> make_more = {};
  };

  // Reads those in the store and hands their rules to it. Blocks its caller, and so do all that change
  // something.
  static Result<std::unique_ptr<Contracts>> open(store::Store& store, const Options& options);

  // Makes the contract's table, queues and buckets where they are not there yet, and puts the contract in
  // force, in the place of an older version. The same one again changes nothing. Error invalid: it has
  // errors; its version is not newer than that of another text; records are there that the change would need
  // a migration for; or Options::check stands against it.
  Result<DeployedPtr> apply(const Application& application);

  // The same for a contract whose records were brought along: whatever it changes, and whichever version it
  // has. Error invalid where its table is another than `table`, or the contract of that table has another
  // name.
  Result<DeployedPtr> replace(const Application& application, const std::string& table);

  // Gives a table its rules again, as Options::wrap has them now. Error not_found where there is no such
  // table.
  Status renew_rules(const std::string& table);

  // Called after every change of what is in force, on the thread that made it. Its error is that of the
  // change.
  void set_on_change(std::function<Status()> on_change) { on_change_ = std::move(on_change); }

  // Takes a contract out of force: its table is one like any other from then on. Table, queues and history
  // stay. Error not_found where there is none of that name.
  Status withdraw(const std::string& name);

  // How far they are with records that were there before them. Begun here, and walked by somebody else.
  AdoptionBook& adoptions() { return adoptions_; }
  const AdoptionBook& adoptions() const { return adoptions_; }

  // Null where there is none of that name.
  DeployedPtr find(std::string_view name) const;
  DeployedPtr find_by_table(std::string_view table) const;
  // Whose work goes through the queue of that name; nothing where it is nobody's.
  std::optional<QueueUse> find_use(std::string_view queue) const;
  std::vector<DeployedPtr> all() const;  // by name

 private:
  Contracts(store::Store& store, const Options& options)
      : store_(store), options_(options), adoptions_(store) {}

  Status make_table(const Deployed& deployed);
  Status make_queues(const Deployed& deployed);
  Status make_room(const Deployed& deployed);
  enum class OldRecords : unsigned char { are_as_they_should_be, are_adopted };
  Status install(const DeployedPtr& deployed, store::RulesAre are, OldRecords old);
  Status release_tables();
  Status put_in_force(DeployedPtr deployed, store::RulesAre are);
  Status set_rules(const std::string& table, const DeployedPtr& deployed, store::RulesAre are);
  Status check_change(const Deployed& next) const;

  store::Store& store_;
  const Options options_;
  AdoptionBook adoptions_;
  std::function<Status()> on_change_ = [] { return Status(); };
  std::mutex changing_;       // held while rules are given to a table, so that the newest are the last
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, DeployedPtr, std::less<>> in_force_;
  std::mutex applying_;  // held while what is in force changes, before the others
};

}  // namespace waybill::rules
