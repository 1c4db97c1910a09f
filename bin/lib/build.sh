# shellcheck shell=bash
# CMake and Ninja. Ninja decides what is stale, new files and CMake files included.

build_folder() { if [[ $1 == default ]]; then printf '%s' "$root/build"; else printf '%s' "$root/build-$1"; fi; }

# build PRESET TARGET...
build() {
  local preset=$1 folder
  folder=$(build_folder "$preset")
  shift
  configure "$preset" "$folder"
  # Paths inside the checkout count as relative: another clone of the same commit compiles nothing.
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 NINJA_STATUS='[%f/%t] '
  # ccache 4.7 leaves paths with a space absolute in its lists of headers. Other clones would look for these headers and
  # compile at each start, so such a clone only reads the cache.
  [[ $root != *' '* ]] || export CCACHE_READONLY=1
  ninja -C "$folder" "$@" 2>&1 </dev/null | tee "$log" | show_build || give_up building
}

# Once, and again when the presets have changed or the checkout has moved; Ninja runs CMake for everything else.
configure() {
  local preset=$1 folder=$2 made_from=$2/.made-from wanted
  wanted=$root$'\n'$(<"$root/CMakePresets.json")
  if [[ ! -f $folder/build.ninja || ! -f $made_from || $(<"$made_from") != "$wanted" ]]; then
    step configuring cmake --fresh -S "$root" --preset "$preset"
    printf '%s\n' "$wanted" >"$made_from"
  fi
}

# Reads what Ninja prints. A line appears once something is really compiled or linked; a terminal shows the count as it
# grows, anything else gets a line every $HARNESS_PROGRESS_S seconds.
show_build() {
  local line every=${HARNESS_PROGRESS_S:-10} start=$SECONDS count='' status
  local next=$((start + every))
  while true; do
    status=0
    IFS= read -r -t 1 line || status=$?
    if ((status > 128)); then line=''; elif ((status)); then break; fi
    if [[ $line =~ ^\[([0-9]+/[0-9]+)\]\ (Building|Linking) ]]; then
      [[ -n $count || -t 2 ]] || printf 'harness: building ... ' >&2
      count=${BASH_REMATCH[1]}
      [[ ! -t 2 ]] || printf '\rharness: building %s ... ' "$count" >&2
    fi
    if [[ -n $count && ! -t 2 ]] && ((SECONDS >= next)); then
      printf '%s after %d s\nharness: building ... ' "$count" $((SECONDS - start)) >&2
      next=$((SECONDS + every))
    fi
  done
  [[ -z $count ]] || printf '%d s\n' $((SECONDS - start)) >&2
}
