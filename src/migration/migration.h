#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "table/note.h"

// Changes of a table's records while it is written to: a field is added, renamed or removed, or the primary
// key becomes another one.
namespace waybill::migration {

enum class Kind : unsigned char { rename, add, remove, key };

// Where a migration stands. Those whose names end in -ing go on by themselves until every record is done.
enum class Step : unsigned char {
  dual_write,   // what is written from now on has both, old and new
  backfilling,  // the records that were there before are brought along
  filled,
  verified,  // every record was looked at, and both agree
  switched,  // readers go by the new one
  stopped,   // the old one is written no more
  dropping,  // it is taken out of the records; there is no way back
  done,
  restoring,  // on the way back: the old one is made good in every record
  removing,   // ditto: the new one is taken out
  backed_out,
};

std::string_view word_for(Kind kind);
std::string_view word_for(Step step);

bool is_walk(Step step);
bool is_over(Step step);

// A contract as it was when a migration put another in its place.
struct ContractBefore {
  std::string text;
  std::map<std::string, std::string> parameters;
};

// An attribute of a key, and the text that its value is made of: {"PK", "IMAGE#{id}"}.
using KeyMaking = std::vector<std::pair<std::string, std::string>>;

struct Migration {
  std::string table;
  Kind kind = Kind::rename;
  Step step = Step::dual_write;
  std::string old_field;  // of rename and remove
  std::string new_field;  // of rename and add
  std::string initial;    // of add: the value, encoded
  std::string having;     // of add: only records that have this attribute; "": all
  std::string new_table;  // of key
  KeyMaking make;         // of key: the new one, from the fields of a record
  KeyMaking back;         // of key: the old one; empty: its attributes stay in the record
  std::optional<ContractBefore> contract_before;
  int64_t started_ms = 0;

  // The walk over the records, or the last one.
  std::string place;    // the key behind which it goes on; "": the beginning
  int64_t seen = 0;     // records
  int64_t changed = 0;  // of them
  int64_t refused = 0;  // that could not be changed: `complaint` says why, of the last one
  std::string complaint;
  int64_t rate_per_second = 0;  // that are changed; 0: as fast as may be
  std::string failure;          // why it came to a halt; "": it did not
};
using MigrationPtr = std::shared_ptr<const Migration>;

inline constexpr std::string_view note_prefix = "migration/";

// {"format":1,"kind":"rename","step":"backfilling",…}: values and places in hexadecimal, absent where empty.
table::Note note_of(const Migration& migration);
Result<Migration> read_migration(const table::Note& note);

// "the field title becomes caption"
std::string describe(const Migration& migration);

}  // namespace waybill::migration
