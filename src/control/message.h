#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

// How the commands of the terminal speak to a server on the same machine: over a socket in its data
// directory, which only the server's own user may open. A request is one line of JSON with the name of a
// command; the answer is any number of lines about progress, then one with the result or an error:
//
//   {"command":"backup","folder":"/srv/backup"}
//   {"progress":{"what":"copying","done":1048576,"total":8388608}}
//   {"result":{…}}            or {"error":"…"}
namespace waybill::control {

// The socket of the server that keeps its data in `data_dir`.
inline std::string socket_path(const std::string& data_dir) {
  return data_dir + "/control.sock";
}

// How far something is. `total` 0: not known.
struct Step {
  std::string what;
  uint64_t done = 0;
  uint64_t total = 0;
};

// A member of a request that must be there; Error invalid where it is not, or is no text.
Result<std::string> text_member(const json::Value& request, std::string_view name);

std::string progress_line(const Step& step);
std::string result_line(std::string_view result);  // complete JSON
std::string error_line(std::string_view message);

}  // namespace waybill::control
