# shellcheck shell=bash
# The set-up that the launchers share; they set `root` first. Everything it says goes to stderr, one line a step,
# and a start that finds nothing to do says nothing. It ends the launcher with exit code 3 when it cannot go on.

# True in a copy that cmake --install has made: it writes the file "installed".
is_installed() { [[ -f $root/installed ]]; }

state=$root/build/.setup
environment=$root/.venv
if is_installed; then
  home=${XDG_CACHE_HOME:-$HOME/.cache}/harness  # as cache_folder() in harness/base/project.cpp
  state=$home/setup
  environment=$home/environment
fi
log=$state/setup.log

# shellcheck source=bin/lib/packages.sh
source "$root/bin/lib/packages.sh"
# shellcheck source=bin/lib/environment.sh
source "$root/bin/lib/environment.sh"
# shellcheck source=bin/lib/build.sh
source "$root/bin/lib/build.sh"

# One set-up at a time in one checkout; the lock is the kernel's, so a killed launcher leaves none behind.
begin_setup() {
  trap 'exit 130' INT
  if ! mkdir -p "$state" 2>/dev/null || [[ ! -w $state ]]; then
    say "\"$state\": cannot be written to; work in a clone of your own: git clone \"$root\" FOLDER"
    exit 3
  fi
  exec {lock}>"$state/lock"
  if ! flock --nonblock "$lock"; then
    say "waiting for another start in this folder to finish its set-up"
    flock "$lock"
  fi
}

end_setup() { exec {lock}>&-; }

say() { printf 'harness: %s\n' "$*" >&2; }

# step TEXT COMMAND...: runs the command quietly; only a failure shows what it printed.
step() {
  local text=$1 start=$SECONDS
  shift
  printf 'harness: %s ... ' "$text" >&2
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%d s\n' $((SECONDS - start)) >&2
  else
    printf 'failed after %d s\n' $((SECONDS - start)) >&2
    give_up "$text"
  fi
}

# The end of the log, what did not work, and the way out.
give_up() {
  tail -n 40 "$log" >&2
  say "$1: failed; all it printed is in $log"
  if grep -qE 'Temporary failure|[Nn]ame or service not known|Could not (resolve|connect)|[Cc]onnection refused|Network is unreachable|Failed to establish' "$log"; then
    say "the package server cannot be reached; connect this machine to the network and start again"
  fi
  exit 3
}
