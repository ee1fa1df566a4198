#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/formula.h"
#include "contract/problem.h"
#include "contract/text_template.h"
#include "table/table.h"

// What a contract says, as plain data: read from a file by reader.h, judged by check.h.
namespace waybill::contract {

// A name and where it stands.
struct Name {
  std::string text;
  Place place;

  bool operator==(const Name& other) const { return text == other.text; }
};
using Names = std::vector<Name>;

// What a server is told at its start, and the file leaves open: "photoeditor-{env}-jobs".
struct Parameter {
  Place place;
  std::string name;
  std::vector<std::string> one_of;  // empty: any text
  std::string value;                // the default, or what was given
};

enum class FieldType : unsigned char {
  string,
  integer,
  number,
  boolean,
  binary,
  timestamp,  // ISO 8601, UTC, as text
  epoch_ms,
  epoch_s,
  map,
  list,
  set,
  any,
};

// A value that is set by the system at certain moments.
struct SetRule {
  enum class Moment : unsigned char { on_create, on_change, on_entering, on_first_entering, on_leaving };
  Moment moment = Moment::on_create;
  Names states;  // of the last three
};

struct Field {
  Place place;
  std::string name;
  FieldType type = FieldType::any;
  bool optional = false;
  std::vector<std::string> one_of;  // of strings; empty: any
  std::optional<Formula> minimum;   // of numbers
  std::optional<Formula> maximum;
  std::optional<int64_t> length_max;  // of strings, in characters
  std::optional<Formula> initial;     // where a new record has none
  std::optional<Formula> computed;    // always, by the system
  std::optional<SetRule> set;
  Names only_in;                                     // states in which it may be there; empty: all
  std::optional<Name> only_with;                     // another field without which it is not there
  std::map<std::string, std::string> dropped_where;  // parameter and value: not kept there
  bool unique = false;                               // of times in keys: never the same twice
  std::vector<Field> fields;                         // of a map; empty: any
  std::shared_ptr<const Field> element;              // of a list or a set; null: any
};

// What the system does at the end of a record's time.
enum class AfterLife : unsigned char { remove, archive };

struct Retention {
  Place place;
  int64_t seconds = 0;
  AfterLife then = AfterLife::remove;
};

struct StatusMachine {
  Place place;
  Name field;
  Name start;
  struct State {
    Name name;
    Names next;
    bool is_end = false;
    std::optional<Retention> retention;
  };
  std::vector<State> states;  // in the order of the file

  const State* find(const std::string& name) const;
  bool may_move(const std::string& from, const std::string& to) const;
};

// A move that the system makes for somebody.
struct Move {
  Place place;
  Names from;  // empty: from wherever the machine allows it
  Name to;
  bool by_hand = false;
  bool dead_letter = false;
};

struct Work {
  Place place;
  struct Queue {
    TextTemplate name;
    std::optional<TextTemplate> dead_letters;
    int64_t receives_max = 0;
    int64_t visibility_s = 0;
  };
  Queue queue;
  std::vector<std::pair<std::string, Formula>> message;  // the envelope, in the order of the file
  std::optional<Move> enqueue;
  struct Arrival {
    Formula bucket;
    Formula key;
  };
  std::optional<Arrival> arrival;  // an object's arrival makes it ready for work
  std::optional<Move> claim;
  std::optional<Move> done;
  std::optional<Move> fail;
  std::optional<Move> cancel;
  std::optional<Move> replay;
  struct GiveUp {
    Name after;  // a field
    Name to;
  };
  std::optional<GiveUp> give_up;
  std::optional<Name> attempts;
  std::optional<Name> next_attempt_at;
  std::vector<int64_t> backoff_s;
  std::optional<Name> error_code;
  std::optional<Name> error_message;
  struct Steps {
    Name cursor;
    std::optional<Name> total;
    std::optional<Name> record;  // the kind of record that each step has
    std::optional<Name> pause;   // states of a review
    std::optional<Name> resume;
    std::optional<Name> reject;
  };
  std::optional<Steps> steps;
  // Which of the workers that come with the system works on it. Texts of `with` may have parameters and
  // fields of the record in them.
  struct BuiltIn {
    Name worker;
    std::map<std::string, TextTemplate> with;
  };
  std::optional<BuiltIn> built_in;
};

struct Idempotency {
  Place place;
  std::optional<Name> field;
  Names hash_of;
  std::optional<Name> within;
  int64_t keep_s = 0;
  std::optional<Name> record;  // the kind of record that keeps the keys; none: the system's own place
};

struct Event {
  Place place;
  bool on_create = false;
  Names on;  // states
  std::string type;
  std::vector<std::pair<std::string, Formula>> with;
};

struct Mirror {
  Place place;
  std::string name;
  std::map<std::string, TextTemplate> key;
  Names fields;
};

// A record that the system itself writes.
enum class Role : unsigned char { ordinary, outbox, idempotency, audit };

// What becomes of attributes that a record's contract does not name.
enum class OtherFields : unsigned char { keep, refuse };

struct Record {
  Place place;
  std::string name;
  Role role = Role::ordinary;
  std::map<std::string, TextTemplate> key;  // by key attribute
  struct Id {
    enum class Kind : unsigned char { ulid, uuid4 };
    Name field;
    Kind kind = Kind::ulid;
    std::string prefix;
  };
  std::optional<Id> id;
  std::optional<Name> owner;
  std::optional<Name> tenant;
  std::optional<Name> version;
  Names trace;  // fields by which it is followed through events and logs
  struct Tags {
    Name field;
    std::optional<Name> within;
    std::optional<Name> newest_by;
  };
  std::optional<Tags> tags;
  std::vector<Field> fields;
  OtherFields other_fields = OtherFields::keep;
  std::optional<StatusMachine> status;
  std::optional<Work> work;
  std::optional<Idempotency> idempotency;
  struct Counter {
    std::string name;
    Name estimate;
    Name reserved;
    Name spent;
  };
  std::vector<Counter> counters;
  std::vector<Event> events;
  std::vector<Mirror> mirrors;
  std::optional<Name> audited_by;
  struct KeepLatest {
    Name by;
    int64_t count = 0;
    AfterLife then = AfterLife::remove;
  };
  std::optional<KeepLatest> keep_latest;
  // How many records a tenant may have, as another record of the tenant's says.
  struct Quota {
    Place place;
    Name record;           // of the limit
    std::string field;     // ditto; a way through maps with points
    Names states;          // that count; empty: all
    bool per_day = false;  // those made on one day count
  };
  std::vector<Quota> quotas;

  const Field* find(const std::string& field_name) const;
};

enum class Enforcement : unsigned char { enforce, log, off };

// Where events are told. Texts may have parameters in them; secrets stand in the server's environment, never
// in the file.
struct Publication {
  enum class Kind : unsigned char { webhook, kafka, eventbridge, queue };
  Place place;
  Kind to = Kind::webhook;
  TextTemplate url;            // webhook
  std::string secret_env;      // webhook: the variable with the secret that signs; "": unsigned
  TextTemplate brokers;        // kafka: "host:9092,host:9092"
  TextTemplate topic;          // kafka
  TextTemplate endpoint;       // eventbridge; empty: Amazon's own of the region
  TextTemplate bus;            // eventbridge
  TextTemplate region;         // eventbridge
  std::string access_key_env;  // eventbridge
  std::string secret_key_env;  // eventbridge
  TextTemplate queue;          // queue: its name
};

// A bucket that records' objects are in, and what it takes.
struct Bucket {
  Place place;
  TextTemplate name;
  std::optional<int64_t> bytes_max;  // of an object
  std::vector<std::string> types;    // media types, in lower case; empty: any
  std::optional<int64_t> expires_s;  // after an object has come
};

struct Contract {
  std::string name;
  int64_t version = 0;
  Enforcement enforcement = Enforcement::enforce;
  std::vector<Parameter> parameters;
  struct Table {
    Place place;
    TextTemplate name;
    Names key;  // partition, and maybe sort
    struct Index {
      Name name;
      Names key;
      table::Projection projection;
    };
    std::vector<Index> indexes;
    std::optional<Name> ttl;
    std::optional<int64_t> recovery_days;
    std::optional<table::StreamView> stream;
    table::BillingMode billing = table::BillingMode::pay_per_request;
    table::Throughput throughput;
  };
  Table table;
  std::vector<Bucket> buckets;       // in the order of the file
  std::vector<Publication> publish;  // ditto
  std::vector<Record> records;

  const Record* find(const std::string& record_name) const;
};

}  // namespace waybill::contract
