#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "job/services.h"

namespace waybill::job {

inline constexpr std::size_t list_limit_max = 1000;

enum class Order : unsigned char { newest, oldest };
enum class TagMatch : unsigned char { any, all };

struct ListRequest {
  Subject subject;
  std::string index;  // "": whichever fits the fields
  // Values that fields have, as texts. They must be enough for the partition key of an index, of the table or
  // of a mirror; others are looked at in each record, as far as the index has them.
  std::map<std::string, std::string> fields;
  std::vector<std::string> tags;
  TagMatch match = TagMatch::any;
  Order order = Order::newest;
  std::size_t limit = 100;  // 1 to list_limit_max
  std::string cursor;       // `next` of the page before; "": the first page
  // Of whoever asks; null: everything. Records out of it are not there, and no page ends at one.
  access::ReachPtr reach = nullptr;
};

struct Page {
  std::vector<item::Item> records;  // by an index that keeps some attributes: those alone
  std::string next;                 // "": there are no more
};

// Records by an index, by the table's key, by a mirror, or by tags. A page may have fewer records than asked
// for though there are more. Error invalid where the fields fit no index (the message tells which would), or
// the cursor is of another list. Blocks for the disk alone.
Result<Page> list(const Services& services, const ListRequest& request);

}  // namespace waybill::job
