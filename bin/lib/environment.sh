# shellcheck shell=bash
# The Python environment, from pinned versions.

# make_environment REQUIREMENTS...: it remembers, inside itself, a copy of each file that it was made from. `whole`
# names the interpreter and is missing while pip works: an interrupted environment is made again from nothing.
make_environment() {
  local folder=$environment file memory interpreter
  interpreter=$(readlink -f /usr/bin/python3)
  if [[ ! -f $folder/whole || $(<"$folder/whole") != "$interpreter" ]]; then
    step "making the Python environment" /usr/bin/python3 -m venv --clear "$folder"
    printf '%s\n' "$interpreter" >"$folder/whole"
  fi
  for file in "$@"; do
    memory=$folder/${file##*/}
    if ! cmp --quiet "$file" "$memory"; then
      rm -f "$folder/whole"
      step "installing Python packages from ${file#"$root"/}" \
        install_wheels "$folder/bin/python" "$file"
      cp "$file" "$memory"
      printf '%s\n' "$interpreter" >"$folder/whole"
    fi
  done
}

# install_wheels PYTHON REQUIREMENTS: an installed copy brings the packages for some versions of Python; others fetch them.
install_wheels() {
  local -a install=("$1" -m pip install --disable-pip-version-check --no-input --only-binary :all: --requirement "$2")
  { [[ -d $root/wheels ]] && "${install[@]}" --no-index --find-links "$root/wheels"; } || "${install[@]}"
}
