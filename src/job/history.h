#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "job/list.h"
#include "job/services.h"

namespace waybill::job {

struct HistoryRequest {
  Subject subject;
  std::string id;
  Order order = Order::oldest;
  std::size_t limit = 100;
  std::string cursor;
};

// What happened to a record, also to one that is gone: rows of the journal (rules/system_tables.h), with
// pages as list() has them. Blocks for the disk alone.
Result<Page> history(const Services& services, const HistoryRequest& request);

}  // namespace waybill::job
