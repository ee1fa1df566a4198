#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/autoscaling/scalable_target.h"
#include "base/json.h"

// Lists in pages.
namespace waybill::api::autoscaling {

struct PageFields {
  std::optional<int64_t> limit;
  std::optional<std::string_view> token;

  static PageFields read(const dynamodb::Fields& fields);
};

struct TargetPage {
  std::vector<Target> targets;
  std::optional<std::string> next_token;
};

// The next of `wanted`, which is in the order of all_targets(): as many as the limit says, 50 at most.
// nullopt for a token that was never given out.
std::optional<TargetPage> page_of(std::vector<Target> wanted, const PageFields& fields);

// Member "NextToken" of an object that is being written, where there is more.
void write_next_token(json::Writer& out, const TargetPage& page);

// ServiceNamespace, ResourceId and ScalableDimension.
void write_name(json::Writer& out, const TargetName& name);

}  // namespace waybill::api::autoscaling
