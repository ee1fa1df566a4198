#include "control/client.h"

#include <string_view>

#include "base/json.h"
#include "control/unix_socket.h"

namespace waybill::control {

namespace {

uint64_t number_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->type() == json::Type::number ? static_cast<uint64_t>(value->integer().value_or(0))
                                                      : 0;
}

Step step_in(const json::Value& progress) {
  const auto what = progress.find("what");
  return {std::string(what && what->is_string() ? what->string() : std::string_view()),
          number_in(progress, "done"), number_in(progress, "total")};
}

}  // namespace

Result<std::string> call(const std::string& data_dir, const std::string& request,
                         const std::function<void(const Step&)>& on_progress) {
  const auto socket = connect_to(socket_path(data_dir));
  if (!socket) {
    return Error{ErrorKind::unavailable,
                 "no server runs on " + data_dir + ": start one with `waybill serve --data " + data_dir + "`",
                 socket.error().message};
  }
  if (!send_all(*socket, request + "\n")) {
    return Error{ErrorKind::unavailable, "the server on " + data_dir + " does not listen", {}};
  }
  LineReader lines(*socket);
  while (const auto line = lines.next()) {
    json::Parser parser;
    const auto answer = parser.parse_copy(*line);
    if (!answer || !answer->is_object()) {
      return Error{ErrorKind::internal, "the server's answer can't be read: " + *line, {}};
    }
    if (const auto progress = answer->find("progress")) {
      on_progress(step_in(*progress));
    } else if (const auto error = answer->find("error")) {
      return Error{ErrorKind::invalid, std::string(error->string()), {}};
    } else {
      // What stands between {"result": and the last brace is complete JSON.
      constexpr std::string_view before = R"({"result":)";
      return line->substr(before.size(), line->size() - before.size() - 1);
    }
  }
  return Error{ErrorKind::unavailable, "the server ended before the command did; ask again when it runs", {}};
}

}  // namespace waybill::control
