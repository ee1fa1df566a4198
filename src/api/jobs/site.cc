#include "api/jobs/site.h"

#include <string_view>

namespace waybill::api::jobs {
namespace {

// Without its port.
std::string_view name_of(std::string_view host) {
  return host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
}

// An address is not asked for anywhere, so it cannot lead somewhere else.
bool is_address(std::string_view name) {
  return name.starts_with('[') || name.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_this_machine(std::string_view name) {
  constexpr std::string_view local = "localhost";
  if (name.size() > local.size() && name[name.size() - local.size() - 1] == '.') {
    name.remove_prefix(name.size() - local.size());
  }
  return is_address(name) || http::equals_ignoring_case(name, local);
}

}  // namespace

bool is_from_here(const http::Request& request) {
  const auto host = request.header("host");
  if (!is_this_machine(name_of(host))) {
    return false;
  }
  const auto origin = request.header("origin");
  const auto mark = origin.find("://");
  return origin.empty() || (mark != std::string_view::npos && origin.substr(mark + 3) == host);
}

}  // namespace waybill::api::jobs
