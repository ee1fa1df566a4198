#include "job/create.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "job/actions.h"
#include "job/change.h"
#include "job/digest.h"
#include "job/new_record.h"
#include "rules/system_tables.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::job {

namespace {

using store::Outcome;
using store::OutcomeKind;

constexpr int rounds_max = 16;

// For how long a key is remembered where the contract says nothing of keys.
constexpr int64_t key_kept_s = 24LL * 60 * 60;

// Tells requests apart, in whatever order they name their fields.
std::string digest_of(item::ItemView fields) {
  std::vector<std::string> each;
  for (item::AttributeCursor at(fields); at.next();) {
    each.push_back(sha256(std::string(at.name()).append(1, '\0').append(at.value().encoded())));
  }
  std::ranges::sort(each);
  std::string all;
  for (const auto& one : each) {
    all += one;
  }
  return hex_lower(sha256(all));
}

// A row of the system's own keys; see rules/system_tables.h.
item::Item key_row(const std::string& key, const std::string& id, const std::string& digest, int64_t now_ms) {
  Draft draft{item::Item()};
  draft.set_text({"key"}, key);
  draft.set_text({"id"}, id);
  draft.set_text({"digest"}, digest);
  draft.set_integer({"ttl"}, now_ms / 1000 + key_kept_s);
  return draft.result();
}

class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(const Services& services, CreateRequest request, Answer<Created> done)
      : services_(services), request_(std::move(request)), done_(std::move(done)) {}

  void begin() {
    if (auto began = try_round(); !began) {
      done_(std::move(began).error());
    }
  }

 private:
  const Subject& subject() const { return request_.subject; }

  // Another millisecond with every round: where times are part of the key, two records may want the same.
  Status try_round() {
    const int64_t now_ms = services_.clock.wall_ms() + rounds_;
    if (++rounds_ > rounds_max) {
      return Error{ErrorKind::unavailable, "The record could not be given a key of its own: try again", {}};
    }
    WAYBILL_TRY_ASSIGN(const auto table, table_of(services_, subject()));
    WAYBILL_TRY_ASSIGN(auto record, new_record(subject(), request_.fields, request_.idempotency_key,
                                               {now_ms, make_id(now_ms)}));
    WAYBILL_TRY(
        table::check_item(*table, record.view(), item::size_bytes(record.view()), table::Change::put));
    id_ = rules::id_of(*subject().kind, record.view()).value_or("");
    store::Transaction transaction;
    transaction.author = author_of(request_.author, "create");
    transaction.actions.push_back(creation_of(table, std::move(record)));
    transaction.actions.front().reach = request_.reach;
    WAYBILL_TRY(add_key_row(transaction, now_ms));
    services_.store.commit(std::move(transaction), [self = shared_from_this()](Outcome outcome) {
      self->answer(std::move(outcome));
    });
    return {};
  }

  std::string make_id(int64_t now_ms) {
    const auto& id = subject().record().id;
    if (!id) {
      return {};
    }
    return id->kind == contract::Record::Id::Kind::ulid ? services_.ulids.make(now_ms)
                                                        : make_uuid4(services_.entropy);
  }

  // A key that the request brings along where the contract has no field for it.
  bool keeps_key_itself() const {
    const auto& idempotency = subject().record().idempotency;
    return request_.idempotency_key && !(idempotency && idempotency->field);
  }
  std::string name_of_key() const {
    return "request:" + rules::name_of_row(subject().contract->contract.name, subject().record().name,
                                           request_.author.name, *request_.idempotency_key);
  }

  Status add_key_row(store::Transaction& transaction, int64_t now_ms) const {
    if (!keeps_key_itself()) {
      return {};
    }
    const auto keys = services_.store.find_table(rules::keys_table);
    if (keys == nullptr) {
      return Error{ErrorKind::unavailable, "The system's tables are not there", {}};
    }
    auto row = key_row(name_of_key(), id_, digest_of(request_.fields.view()), now_ms);
    WAYBILL_TRY(table::check_item(*keys, row.view(), item::size_bytes(row.view()), table::Change::put));
    transaction.actions.push_back(creation_of(keys, std::move(row)));
    return {};
  }

  void answer(Outcome outcome) {
    if (outcome.kind == OutcomeKind::failed) {
      done_(*std::move(outcome.error));
    } else if (outcome.kind == OutcomeKind::refused) {
      refused(outcome);
    } else {
      auto& record = outcome.results.front().after;
      done_(Created{id_, record ? *std::move(record) : item::Item(), false});
    }
  }

  void refused(const Outcome& outcome) {
    if (outcome.results.size() > 1 && outcome.results[1].refusal) {
      repeat_key();
      return;
    }
    const auto& reason = outcome.results.front().refusal;
    if (!reason) {
      done_(Error{ErrorKind::internal, "A refusal without a reason", {}});
      return;
    }
    if (reason->kind == ErrorKind::key_in_use) {
      repeat(reason->detail);
      return;
    }
    if (reason->kind != ErrorKind::condition_failed || !reason->detail.empty()) {
      done_(*reason);
      return;
    }
    is_there_already();
  }

  // The key is taken: another one is made, where it is the system that makes it.
  void is_there_already() {
    if (makes_key(subject(), request_.fields.view())) {
      begin();
      return;
    }
    if (is_same_request()) {
      repeat(id_);
      return;
    }
    done_(Error{
        ErrorKind::record_exists, "There is a " + subject().record().name + " \"" + id_ + "\" already", {}});
  }

  // Whether the record that is there was made with the same idempotency key.
  bool is_same_request() const {
    const auto& idempotency = subject().record().idempotency;
    if (!idempotency || !idempotency->field) {
      return false;
    }
    const auto there = find(id_);
    const Path path = path_of_text(idempotency->field->text);
    const auto wanted = new_record(subject(), request_.fields, request_.idempotency_key, {});
    return there && *there && wanted && Draft(**there).text(path) == Draft(*wanted).text(path);
  }

  // The record that was made with the key, unless it was asked for with other fields.
  void repeat_key() {
    const auto keys = services_.store.find_table(rules::keys_table);
    Draft draft{item::Item()};
    draft.set_text({"key"}, name_of_key());
    const auto found = services_.store.get(*keys, table::primary_key(keys->key, draft.result().view()));
    if (!found || !*found) {
      repeat({});
      return;
    }
    Draft row((*found)->item);
    const auto digest = row.text({"digest"});
    if (digest && *digest != digest_of(request_.fields.view())) {
      done_(Error{ErrorKind::key_in_use, "The idempotency key was used for a request with other fields", {}});
      return;
    }
    repeat(row.text({"id"}).value_or(""));
  }

  Result<std::optional<item::Item>> find(const std::string& id) const {
    WAYBILL_TRY_ASSIGN(const auto key, rules::key_of_id(*subject().contract, *subject().kind, id));
    return find_record(services_, subject(), key.view());
  }

  bool is_in_reach(item::ItemView record) const {
    const auto table = table_of(services_, subject());
    return !request_.reach || (table && request_.reach->covers(**table, record));
  }

  // The record that was made then. It may be somebody else's.
  void repeat(const std::string& id) {
    auto found = find(id);
    if (!found || !*found) {
      done_(Error{ErrorKind::key_in_use,
                  "The idempotency key stands for a " + subject().record().name + " that is gone",
                  {}});
    } else if (!is_in_reach((*found)->view())) {
      done_(Error{ErrorKind::key_in_use, "The idempotency key stands for another request", {}});
    } else {
      done_(Created{id, **std::move(found), true});
    }
  }

  const Services services_;
  const CreateRequest request_;
  Answer<Created> done_;
  std::string id_;
  int rounds_ = 0;
};

}  // namespace

void create(const Services& services, CreateRequest request, Answer<Created> done) {
  std::make_shared<Run>(services, std::move(request), std::move(done))->begin();
}

}  // namespace waybill::job
