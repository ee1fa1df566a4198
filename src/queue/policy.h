#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Who may do what with a queue, as the JSON of its attribute Policy.
namespace waybill::queue {

struct Permission {
  std::string label;
  std::vector<std::string> account_ids;
  std::vector<std::string> actions;  // "SendMessage"
};

// `policy` ("": there is none yet) with one more statement about the queue of that ARN. Error invalid where
// it has one of that label.
Result<std::string> add_permission(std::string_view policy, std::string_view queue_arn,
                                   const Permission& permission);

// `policy` without the statement of that label; "" where none is left. Error invalid where it has none.
Result<std::string> remove_permission(std::string_view policy, std::string_view label);

}  // namespace waybill::queue
