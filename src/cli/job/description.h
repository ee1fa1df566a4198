#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/job/api.h"
#include "cli/job/json_parts.h"
#include "cli/job/screen.h"
#include "cli/job/target.h"
#include "contract/model.h"

namespace waybill::cli::job {

// What a server's contract says of a kind of records.
class Description {
 public:
  // `contract`: nothing where its text is of a newer language than this program knows; records are then
  // shown and sent without it.
  Description(std::string record_name, std::vector<std::string> id_fields,
              std::optional<contract::Contract> contract);

  const contract::Record* record() const;
  std::string status_field() const;  // "": there is none

  // The id of a record as paths have it; "" where the answer lacks a part of it.
  std::string id_of(const Members& record) const;
  bool is_of_id(std::string_view field) const;

  bool is_end(const std::string& state) const;
  Colour colour_of(const std::string& state) const;

 private:
  std::string record_name_;
  std::vector<std::string> id_fields_;
  std::optional<contract::Contract> contract_;
};

// Asks the server. Error where it has no such contract, or the contract no such records.
Result<Description> describe(Api& api, const Target& target);

// "CONTRACT/RECORD" of all that is in force.
Result<std::vector<std::string>> all_kinds(Api& api);

}  // namespace waybill::cli::job
