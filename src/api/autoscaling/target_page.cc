#include "api/autoscaling/target_page.h"

#include <algorithm>

#include "base/bytes.h"

namespace waybill::api::autoscaling {
namespace {

constexpr int64_t page_targets_max = 50;

// Names a target and stands for its place in the list.
std::string token_of(const TargetName& name) {
  std::string token;
  append_base64(token, name.resource_id() + " " + std::string(name.dimension()));
  return token;
}

}  // namespace

PageFields PageFields::read(const dynamodb::Fields& fields) {
  return {fields.integer("MaxResults"), fields.string("NextToken")};
}

std::optional<TargetPage> page_of(std::vector<Target> wanted, const PageFields& fields) {
  if (fields.token) {
    const auto last = std::ranges::find_if(
        wanted, [&](const Target& target) { return token_of(target.name) == *fields.token; });
    if (last == wanted.end()) {
      return std::nullopt;
    }
    wanted.erase(wanted.begin(), last + 1);
  }
  TargetPage page;
  const auto limit = static_cast<std::size_t>(
      std::clamp<int64_t>(fields.limit.value_or(page_targets_max), 1, page_targets_max));
  if (wanted.size() > limit) {
    wanted.resize(limit);
    page.next_token = token_of(wanted.back().name);
  }
  page.targets = std::move(wanted);
  return page;
}

void write_next_token(json::Writer& out, const TargetPage& page) {
  if (page.next_token) {
    out.key("NextToken").string(*page.next_token);
  }
}

void write_name(json::Writer& out, const TargetName& name) {
  out.key("ServiceNamespace").string("dynamodb");
  out.key("ResourceId").string(name.resource_id());
  out.key("ScalableDimension").string(name.dimension());
}

}  // namespace waybill::api::autoscaling
