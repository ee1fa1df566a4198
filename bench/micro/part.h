#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "counting.h"

// The hot parts of a request's way: what is measured, and what is held against bench/micro/baseline.json.
namespace waybill::micro {

// A part that is ready to be run. Runs are alike: what one leaves behind does not change the next.
struct Work {
  std::function<void()> once;
  int64_t bytes = 0;  // that one run reads, or else writes; 0 where the count of items says more
  int64_t items = 1;

  // Around the runs that are counted. Others than these where another thread does the work.
  std::function<void()> begin = begin_counting;
  std::function<int64_t()> end = end_counting;
};

// Where the work is done: on another thread the processor time of the calling one says nothing.
enum class Place : unsigned char { calling_thread, other_thread };

struct Part {
  std::string name;  // "item.parse": the room, and what is done there
  Work (*prepare)();
  Place place = Place::calling_thread;
};

using Parts = std::vector<Part>;

// One for each file of parts; main.cc calls them all.
void add_base_parts(Parts& parts);
void add_item_parts(Parts& parts);
void add_number_parts(Parts& parts);
void add_expression_parts(Parts& parts);
void add_table_parts(Parts& parts);
void add_http_parts(Parts& parts);
void add_signature_parts(Parts& parts);
void add_api_parts(Parts& parts);
void add_engine_parts(Parts& parts);
void add_rules_parts(Parts& parts);
void add_request_parts(Parts& parts);

}  // namespace waybill::micro
