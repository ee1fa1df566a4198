#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "intake/session.h"

namespace waybill::intake {

// Reads the source from some key on, page by page in the key's order. The next page is asked for before the
// one at hand is worked on; nothing else may be run with the session's database meanwhile.
class PageReader {
 public:
  // Behind `start`; from the beginning where it is empty. The session outlives it.
  PageReader(Session& session, std::vector<std::string> start)
      : session_(session), behind_(std::move(start)) {}
  ~PageReader();
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // Nothing: there are no more rows. Pages are never empty.
  Result<std::optional<Rows>> next();

 private:
  Status ask();
  Result<Rows> receive();

  Session& session_;
  std::vector<std::string> behind_;
  bool is_asked_ = false;
  bool at_end_ = false;
};

}  // namespace waybill::intake
