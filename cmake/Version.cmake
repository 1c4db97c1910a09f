# The commit is read at build time into a file of its own, so that a new commit recompiles one file only.
find_package(Git QUIET)
