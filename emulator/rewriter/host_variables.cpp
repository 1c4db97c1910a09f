// Variables of the host, which kernels cannot touch. They lie in the same shared object as those of the device, so each tells the emulated
// device where it is.
#include "emulator/rewriter/changes.h"

namespace harness {

void register_host_variables(const Program& program, Changes& changes) {
  const Tokens& tokens = program.tokens;
  const auto add = [&](const Declaration& d) {
    if (!tokens.is(d.end - 1, ";") || tokens.is(d.name - 1, "::") || d.has(tokens, {"thread_local", "&"})) return;
    std::string known = ";";
    for (const size_t i : variables_of(tokens, d)) {
      const std::string name(tokens[i].text);
      known += " static const ::lab::emulated::HostVariable lab_host_" + name + "(__builtin_addressof(" + name + "), sizeof " + name + ");";
    }
    changes.replace(d.end - 1, known);
  };
  for (const Declaration& d : program.host_variables) add(d);
  for (const Declaration& function : program.host_code)
    for (size_t i = function.body + 1; i < function.end; ++i)
      if (program.is_student_word(i) && tokens.is(i, "static") && is_one_of({"{", "}", ";"}, tokens[i - 1].text))
        if (const Declaration d = declaration_at(tokens, i); is_variable_in_memory(tokens, d)) add(d);
}

}  // namespace harness
