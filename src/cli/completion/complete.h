#pragma once

#include <string>
#include <vector>

#include "cli/completion/shape.h"

namespace waybill::cli::completion {

struct Candidate {
  std::string text;
  std::string help;
};

// What may stand where the cursor is.
struct Completion {
  enum class Ask : unsigned char { nothing, kinds, fields };

  std::vector<Candidate> candidates;  // known without a server
  Ask ask = Ask::nothing;             // what a server knows: CONTRACT/RECORD, or the fields of `target`
  bool wants_id = false;              // of kinds: an id follows
  std::string target;
  std::string server;  // as --server says; "": it does not
};

// `words` are those behind the program's name, the last being the one that is typed, "" where it is not
// begun.
Completion complete(const CommandShape& root, const std::vector<std::string>& words);

}  // namespace waybill::cli::completion
