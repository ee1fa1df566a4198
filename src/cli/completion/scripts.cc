#include <iostream>
#include <string_view>

#include "cli/completion/commands.h"

namespace waybill::cli::completion {
namespace {

// Each asks `waybill complete`, and leaves files to the shell where that has nothing to say.

constexpr std::string_view bash_script =
    R"script(# Completion of waybill in bash: source <(waybill completion bash)
_waybill() {
  local typed=${COMP_LINE:0:COMP_POINT} line cut
  local -a words
  read -r -a words <<<"$typed"
  [[ $typed == *[[:space:]] ]] && words+=("")
  # Readline ends words at = and : as well, and replaces only what is behind them.
  cut=${words[-1]%"${COMP_WORDS[COMP_CWORD]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$cut"}")
  done < <("$1" complete "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace
  return 0
}
complete -o default -F _waybill waybill
)script";

constexpr std::string_view zsh_script = R"script(#compdef waybill
# Completion of waybill in zsh: source <(waybill completion zsh), or this as _waybill in a folder of fpath.
_waybill() {
  local line text
  local -a open closed open_shown closed_shown
  for line in "${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    text=${line%%$'\t'*}
    [[ -n $text ]] || continue
    if [[ $text == *[=/] ]]; then
      open+=("$text")
      open_shown+=("$text")
    else
      closed+=("$text")
      closed_shown+=("$text  ${line#*$'\t'}")
    fi
  done
  (( $#open )) && compadd -S '' -d open_shown -a open
  (( $#closed )) && compadd -l -d closed_shown -a closed
  (( $#open + $#closed )) || _files
}
if [[ $funcstack[1] == _waybill ]]; then
  _waybill "$@"
else
  compdef _waybill waybill
fi
)script";

constexpr std::string_view fish_script =
    R"script(# Completion of waybill in fish: waybill completion fish | source
function __waybill_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program complete $words "$typed" 2>/dev/null)
    if test (count $found) -eq 0
        __fish_complete_path "$typed"
    else
        printf '%s\n' $found
    end
end
complete -c waybill -f -a '(__waybill_complete)'
)script";

}  // namespace

int run_completion(const std::string& shell) {
  std::cout << (shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script);
  return 0;
}

}  // namespace waybill::cli::completion
