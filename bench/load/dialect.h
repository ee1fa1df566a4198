#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "load/job.h"
#include "load/request.h"
#include "load/socket.h"
#include "load/target.h"

namespace waybill::load {

// Where an answer ends in the bytes received so far, and what it says.
struct Answer {
  std::size_t bytes = 0;  // 0: it is not all there yet
  Outcome outcome = Outcome::done;
  std::string_view body;  // lives until the received bytes change or the next answer is read
};

// An item of an answer, every attribute of which was compared with what it must be, but these.
struct FoundItem {
  uint64_t id = 0;
  JobStatus status = JobStatus::unknown;
};

struct DialectOptions {
  Target target;
  std::string table;
  Population population;
  bool corrupt_expectation = false;  // every item is expected to be another: each check must fail
  std::size_t message_bytes = 1024;  // of a body
};

// A protocol: how each request is written and each answer read. Keeps no state of a connection.
//
// Thread safety: none.
class Dialect {
 public:
  virtual ~Dialect() = default;

  // Makes the table anew, with its two indexes, or the queue, and returns once it can be used.
  virtual Status create_table() = 0;
  // What a table needs after much was loaded into it.
  virtual Status settle_table() = 0;

  // What has to be said on a new connection before its first request. Blocks.
  virtual Status greet(Socket& socket) = 0;

  // The bytes of `request`; they live until the next call.
  virtual std::string_view write(const Request& request) = 0;

  // Reads the answer to `request` at the front of `received`; an Error where it is no answer at all.
  virtual Result<Answer> read(const Request& request, std::string_view received) = 0;

  // Keeps in `request` what the connection's next request needs of an answer whose outcome was `done`: the
  // item from which a scan goes on, or the receipt of a message.
  virtual void keep(const Answer& answer, Request& request) const = 0;

  // Parses the body of an answer whose outcome was `done` and compares each item in it with what make_job()
  // says. The error tells the first difference. json::padding_bytes behind the body must be readable.
  virtual Result<std::vector<FoundItem>> read_items(const Request& request, std::string_view body) = 0;

  // How many items one request of a load carries.
  virtual uint32_t load_items() const = 0;
};

std::unique_ptr<Dialect> make_dialect(const DialectOptions& options);

// What a server says for itself, cut to a length fit for a terminal.
std::string excerpt(std::string_view text);

}  // namespace waybill::load
