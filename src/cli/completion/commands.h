#pragma once

#include <string>
#include <vector>

#include "cli/completion/shape.h"

namespace waybill::cli::completion {

// Of `complete`, which the scripts of the shells call.
struct CompleteOptions {
  CommandShape shape;
  std::vector<std::string> words;
};

// waybill complete WORD…: prints what may stand in place of the last word, one a line, a tab and an
// explanation behind it. Asks the server where only it knows, for a second at most; without one there is
// nothing to print.
int run_complete(const CompleteOptions& options);

// waybill completion bash|zsh|fish: prints the script for that shell.
int run_completion(const std::string& shell);

}  // namespace waybill::cli::completion
