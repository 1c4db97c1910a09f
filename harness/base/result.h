// Result<T>: a value or an Error. Below the edge of the program nothing throws and nothing prints.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace harness {

/// The exit status of the process.
enum class ExitCode {
  ok = 0,                // all passed, or skipped with a reason
  variant_failed = 1,    // a variant failed
  usage = 2,             // command line or config
  machine = 3,           // the harness or the machine failed
  nothing_selected = 4,  // no case left to run
  interrupted = 130,     // Ctrl-C
};

/// A message for a person: position first, way out last. `exit` says who caused it.
struct Error {
  std::string message;
  ExitCode exit = ExitCode::usage;
};

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const E& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, E> state_;
};

struct Unit {};

/// A Result without a value: `return ok();` or `return Error{...};`.
using Done = Result<Unit>;
inline Done ok() { return Unit{}; }

#define HARNESS_CONCAT_(a, b) a##b
#define HARNESS_CONCAT(a, b) HARNESS_CONCAT_(a, b)

/// Leaves the function with the error of `expr`, if it has one.
#define TRY(expr)                                       \
  do {                                                  \
    if (auto try_ = (expr); !try_) return try_.error(); \
  } while (false)

/// `TRY_ASSIGN(auto text, read_file(path));`
#define TRY_ASSIGN(declaration, expr) TRY_ASSIGN_(HARNESS_CONCAT(try_, __LINE__), declaration, expr)
#define TRY_ASSIGN_(temporary, declaration, expr) \
  auto temporary = (expr);                        \
  if (!temporary) return temporary.error();       \
  declaration = *std::move(temporary)

}  // namespace harness
