# shellcheck shell=bash
# System packages, with apt. dpkg is asked at every start (20 ms): a remembered answer could be wrong.

# install_packages FILE...: one package a line, # starts a comment.
install_packages() {
  # Not Debian or Ubuntu: names differ there, and CMake says what it does not find.
  command -v dpkg-query >/dev/null || return 0
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local count="${#missing[@]} system packages" sudo=''
  [[ ${#missing[@]} == 1 ]] && count='1 system package'
  ((EUID == 0)) || sudo='sudo '
  if [[ -n ${HARNESS_NO_INSTALL:-} ]] || ! may_install; then
    say "$count missing; type this line, then start again:"
    printf '%s\n' "${sudo}apt-get update && ${sudo}apt-get install -y ${missing[*]}" >&2
    exit 3
  fi
  step "installing $count" apt_install "${missing[@]}"
}

missing_packages() {
  local package wanted
  local -A installed=()
  mapfile -t wanted < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$@")
  while read -r package; do
    installed[$package]=1
  done < <(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p')
  for package in "${wanted[@]}"; do
    [[ -n ${installed[$package]:-} ]] || printf '%s\n' "$package"
  done
}

may_install() { ((EUID == 0)) || sudo --non-interactive true 2>/dev/null; }

apt_install() {
  local -a as_root=(env DEBIAN_FRONTEND=noninteractive)
  ((EUID == 0)) || as_root=(sudo --non-interactive "${as_root[@]}")
  # An earlier installation may have been cut off half-way.
  "${as_root[@]}" dpkg --configure -a &&
    # apt warns and goes on when one of several mirrors fails: the packages decide. A new machine updates itself
    # in the background, hence the wait for apt's lock.
    "${as_root[@]}" apt-get update -o DPkg::Lock::Timeout=600 &&
    "${as_root[@]}" apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"
}
