#include "load/wake.h"

#include <poll.h>

#include <chrono>
#include <string>
#include <thread>

#include "load/connection.h"

namespace waybill::load {
namespace {

constexpr uint32_t poll_seconds = 20;
// Long enough for the server to have put the poll aside.
constexpr auto parked_for = std::chrono::milliseconds(4);

// One connection with the request that is in flight on it.
struct Line {
  Socket socket;
  Request request;
  std::string received;
  int64_t answered_ns = 0;
};

Result<Line> open_line(Dialect& dialect, const Target& target) {
  Line line;
  WAYBILL_TRY_ASSIGN(line.socket, Socket::connect(target));
  WAYBILL_TRY(dialect.greet(line.socket));
  return line;
}

Status ask(Dialect& dialect, Line& line) {
  line.received.clear();
  line.answered_ns = 0;
  return line.socket.send_all(dialect.write(line.request));
}

// Reads what has come; `answered_ns` is set once it is the whole answer.
Status receive(Dialect& dialect, Line& line) {
  WAYBILL_TRY(line.socket.receive(line.received));
  const auto at_ns = now_ns();
  WAYBILL_TRY_ASSIGN(const auto answer, dialect.read(line.request, line.received));
  if (answer.bytes == 0) {
    return {};
  }
  if (answer.outcome != Outcome::done) {
    return invalid(std::string(name_of(line.request.operation)) + ": " + excerpt(answer.body));
  }
  dialect.keep(answer, line.request);
  line.answered_ns = at_ns;
  return {};
}

Status receive_all(Dialect& dialect, Line& line) {
  while (line.answered_ns == 0) {
    WAYBILL_TRY(receive(dialect, line));
  }
  return {};
}

// Reads from both as it comes, so that neither answer is dated by the other.
Status receive_both(Dialect& dialect, Line& one, Line& other) {
  while (one.answered_ns == 0 || other.answered_ns == 0) {
    pollfd fds[] = {{one.answered_ns == 0 ? one.socket.fd() : -1, POLLIN, 0},
                    {other.answered_ns == 0 ? other.socket.fd() : -1, POLLIN, 0}};
    ::poll(fds, 2, -1);
    if (fds[0].revents != 0) {
      WAYBILL_TRY(receive(dialect, one));
    }
    if (fds[1].revents != 0) {
      WAYBILL_TRY(receive(dialect, other));
    }
  }
  return {};
}

Status delete_received(Dialect& dialect, Line& line) {
  line.request.operation = Operation::remove;
  WAYBILL_TRY(ask(dialect, line));
  return receive_all(dialect, line);
}

}  // namespace

Result<WakeStats> measure_wakes(Dialect& dialect, const Target& target, uint64_t first, uint64_t count) {
  WakeStats stats;
  WAYBILL_TRY_ASSIGN(auto sender, open_line(dialect, target));
  WAYBILL_TRY_ASSIGN(auto receiver, open_line(dialect, target));
  for (uint64_t i = 0; i < count; ++i) {
    receiver.request.operation = Operation::receive;
    receiver.request.wait_seconds = poll_seconds;
    WAYBILL_TRY(ask(dialect, receiver));
    std::this_thread::sleep_for(parked_for);

    sender.request.operation = Operation::send;
    sender.request.items[0].id = first + i;
    const auto begin_ns = now_ns();
    WAYBILL_TRY(ask(dialect, sender));
    WAYBILL_TRY(receive_both(dialect, sender, receiver));
    if (receiver.request.count != 1 || receiver.request.items[0].id != first + i) {
      return invalid("a poll was answered without the message that was sent to it");
    }
    stats.from_send.add(receiver.answered_ns - begin_ns);
    stats.from_answer.add(receiver.answered_ns - sender.answered_ns);
    WAYBILL_TRY(delete_received(dialect, receiver));
  }
  return stats;
}

}  // namespace waybill::load
