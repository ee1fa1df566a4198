#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::api::jobs {

inline constexpr std::string_view path_prefix = "/v1/";

// What a path of the jobs API names:
//   /v1/openapi.json                  description
//   /v1/batch                         batch
//   /v1/contracts                     contracts
//   /v1/contracts/CONTRACT            contract
//   /v1/CONTRACT/RECORD[:VERB]        records
//   /v1/CONTRACT/RECORD/ID[:VERB]     record
struct Path {
  enum class Shape : unsigned char { none, description, batch, contracts, contract, records, record };
  Shape shape = Shape::none;  // none: nothing has such a path
  std::string contract;
  std::string record;
  std::string id;    // decoded once: as rules::id_of has it
  std::string verb;  // "": there is none
};

// `path` is as it was sent. A colon begins a verb where letters alone stand behind it; one that belongs to an
// id and could be taken for that is written %3A.
Path parse_path(std::string_view path);

// The path of a record, for Location.
std::string path_of_record(std::string_view contract, std::string_view record, std::string_view id);

}  // namespace waybill::api::jobs
