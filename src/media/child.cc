#include "media/child.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "media/files.h"
#include "media/message.h"
#include "media/sandbox.h"
#include "media/vips.h"
#include "media/work.h"

namespace waybill::media {

namespace {

// Both ends of the conversation, out of reach of libraries that print.
class Line {
 public:
  Line(int requests, int answers)
      : requests_(::fcntl(requests, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)),
        answers_(::fcntl(answers, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {}

  bool is_open() const { return requests_.is_open() && answers_.is_open(); }

  // nullopt where the other side is gone.
  std::optional<std::string> read() {
    for (;;) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      char bytes[4096];
      const auto got = ::read(requests_.number(), bytes, sizeof(bytes));
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0 || buffer_.size() > line_bytes_max) {
        return std::nullopt;
      }
      buffer_.append(bytes, static_cast<std::size_t>(got));
    }
  }

  bool write(std::string line) {
    line += '\n';
    std::size_t sent = 0;
    while (sent < line.size()) {
      const auto written = ::write(answers_.number(), line.data() + sent, line.size() - sent);
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        return false;
      }
      sent += static_cast<std::size_t>(written);
    }
    return true;
  }

 private:
  const Descriptor requests_;
  const Descriptor answers_;
  std::string buffer_;
};

Result<std::string> run(const Request& request, const Limits& limits) {
  if (const auto* task = std::get_if<ConvertTask>(&request.task)) {
    WAYBILL_TRY_ASSIGN(const auto converted, convert(*task, limits, request.part));
    return to_json(converted);
  }
  if (const auto* task = std::get_if<AnalyseTask>(&request.task)) {
    WAYBILL_TRY_ASSIGN(const auto analysis, analyse(*task, limits));
    return to_json(analysis);
  }
  WAYBILL_TRY_ASSIGN(const auto edited, edit(std::get<EditTask>(request.task), limits, request.part));
  return to_json(edited);
}

Result<std::string> answer(json::Parser& parser, const std::string& line, const Limits& limits) {
  try {
    WAYBILL_TRY_ASSIGN(const auto request, read_request(parser, line));
    WAYBILL_TRY(allow_cpu_seconds(limits.cpu_seconds_max));
    return run(request, limits);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::limit_exceeded, "the image needs more memory than a task may take", {}};
  } catch (const std::exception& failure) {
    return Error{ErrorKind::internal, "the image could not be processed", failure.what()};
  }
}

Result<Limits> prepare(json::Parser& parser, const std::string& line) {
  WAYBILL_TRY_ASSIGN(const auto limits, read_limits(parser, line));
  WAYBILL_TRY(enter_sandbox());
  WAYBILL_TRY(bound_process(limits));
  WAYBILL_TRY(load_vips());
  WAYBILL_TRY(forbid_system_calls());
  return limits;
}

}  // namespace

int child_main(int requests, int answers) {
  Line line(requests, answers);
  if (!line.is_open()) {
    return 1;
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  json::Parser parser;
  const auto first = line.read();
  if (!first) {
    return 0;
  }
  const auto limits = prepare(parser, *first);
  if (!limits) {
    line.write(error_line(limits.error()));
    return 1;
  }
  silence_output();
  bool heard = line.write(result_line("{}"));
  while (heard) {
    const auto request = line.read();
    if (!request) {
      break;
    }
    const auto result = answer(parser, *request, *limits);
    heard = line.write(result ? result_line(*result) : error_line(result.error()));
  }
  return 0;
}

}  // namespace waybill::media
