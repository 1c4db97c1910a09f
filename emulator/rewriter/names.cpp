// Words in the student's files that mean something else on the emulated device, or nothing at all.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

struct Missing {
  std::string_view word;  // with a * at its end: all words that begin like this
  std::string_view message;
};

constexpr std::string_view textures = "the emulated device has no textures",
                           arrays = "the emulated device has no CUDA arrays",
                           graphs = "the emulated device has no CUDA graphs",
                           driver = "the emulated device has no driver interface: use the runtime (cuda_runtime.h)",
                           clusters = "the emulated device has no clusters of blocks that share memory",
                           watched = "the emulated device watches all accesses of a variant: take this out",
                           vectors = "the emulated device does not see what vector instructions of the CPU access: use float4 or plain C++",
                           process = "a variant may not look into the process of the emulated device: take this out",
                           unseen = "the emulated device does not see what this function writes: use memcpy or a loop",
                           own = "this name belongs to the emulated device: use CUDA's names";
constexpr Missing missing[] = {
    {"cudaGraph*", graphs},
    {"cudaStreamBeginCapture", graphs},
    {"cudaStreamEndCapture", graphs},
    {"cudaTextureObject_t", textures},
    {"cudaTextureDesc", textures},
    {"cudaCreateTextureObject", textures},
    {"cudaBindTexture*", textures},
    {"tex1D*", textures},
    {"tex2D*", textures},
    {"tex3D*", textures},
    {"cudaSurfaceObject_t", "the emulated device has no surfaces"},
    {"surf2D*", "the emulated device has no surfaces"},
    {"cudaArray*", arrays},
    {"cudaMallocArray", arrays},
    {"cudaMalloc3DArray", arrays},
    {"cudaMalloc3D", "the emulated device has no cudaMalloc3D(): use cudaMallocPitch"},
    {"cudaMemcpy3D*", "the emulated device has no cudaMemcpy3D(): use cudaMemcpy2D"},
    {"cudaIpc*", "the emulated device has no memory that processes share"},
    {"cudaMemPool*", "the emulated device has no memory pools: use cudaMalloc"},
    {"cudaStreamSetAttribute", "the emulated device has no stream attributes"},
    {"cuInit", driver},
    {"cuCtx*", driver},
    {"cuModule*", driver},
    {"cuDeviceGet*", driver},
    {"cuLaunch*", driver},
    {"cuMem*", driver},
    {"cudaGetDriverEntryPoint*", driver},
    {"cuTensorMap*", "the emulated device has no tile copies (TMA)"},
    {"CUtensorMap", "the emulated device has no tile copies (TMA)"},
    {"this_cluster", clusters},
    {"cluster_group", clusters},
    {"__cluster_dims__", clusters},
    {"block_tile_memory", "the emulated device has tiles of at most 32 threads"},
    {"this_multi_grid", "the emulated device is one device: it has no multi_grid"},
    {"no_sanitize*", watched},
    {"__no_sanitize*", watched},
    {"disable_sanitizer_instrumentation", watched},
    {"dlopen", process},
    {"dlmopen", process},
    {"dlsym", process},
    {"dlvsym", process},
    {"dladdr*", process},
    {"dl_iterate_phdr", process},
    {"mprotect", process},
    {"pkey_mprotect", process},
    {"syscall", process},
    {"mmap", process},
    {"mmap64", process},
    {"mremap", process},
    {"recvmsg", process},
    {"recvmmsg", process},
    {"sendmsg", process},
    {"sendmmsg", process},
    {"ptrace", process},
    {"process_vm_*", process},
    {"weakref", own},
    {"__weakref__", own},
    // Their accesses are not watched: a race through them would not be seen.
    {"wmem*", unseen},
    {"wcs*", unseen},
    {"mempcpy", unseen},
    {"__builtin_mempcpy", unseen},
    {"__builtin___*", unseen},  // __builtin___memcpy_chk() and its like
    {"__mem*", unseen},
    {"memccpy", unseen},
    {"memfrob", unseen},
    {"bcopy", unseen},
    {"swab", unseen},
    {"stpcpy", unseen},
    {"stpncpy", unseen},
    {"strcpy", unseen},
    {"strncpy", unseen},
    {"__builtin_stp*", unseen},
    {"__builtin_strcpy", unseen},
    {"__builtin_strncpy", unseen},
    {"qsort*", unseen},
    {"__builtin_ia32_*", vectors},
    {"_mm_*", vectors},
    {"_mm256_*", vectors},
    {"_mm512_*", vectors},
    {"__tsan_*", own},
    {"lab_device", own},
    {"lab_exchange_if_*", own},
    {"lab_atomic*", own},
    {"lab_yield", own},
    {"lab_may_take", own},
    {"lab_guessed", own},
    {"lab_host_variable", own},
    {"lab_copy_symbol", own},
    {"lab_know_symbol", own},
    {"lab_only_for_block", own},
    {"lab_fence", own},
    {"lab_barrier_complete", own},
    {"lab_barrier_copies", own},
    {"lab_requested_copies", own},
    {"lab_barrier_wait*", own},
    {"lab_meet", own},
    {"lab_pipeline_*", own},
    {"lab_syncthreads", own},
    {"lab_grid_sync", own},
};

bool matches(std::string_view word, std::string_view text) {
  if (!word.ends_with('*')) return word == text;
  word.remove_suffix(1);
  return text.starts_with(word);
}

// cudaFuncSetAttribute((const void*)kernel, ...): the cast hides the types of the kernel's parameters.
size_t behind_cast(const Tokens& tokens, size_t first) {
  if (tokens.is(first, "reinterpret_cast") && tokens.is(first + 1, "<")) {
    size_t i = first + 2;
    while (i < tokens.size() && !tokens.is(i, ">") && !tokens.is(i, "(") && !tokens.is(i, ";")) ++i;
    return tokens.is(i, ">") && tokens.is(i + 1, "(") ? i + 1 : first;
  }
  if (!tokens.is(first, "(")) return first;
  const size_t close = tokens.closing(first);
  const size_t words = close - first - 1;
  const bool is_void =
      close < tokens.size() && words >= 2 && words <= 3 && tokens.is(close - 1, "*") &&
      (tokens.is(first + 1, "void") || (tokens.is(first + 1, "const") && tokens.is(first + 2, "void")));
  return is_void ? close + 1 : first;
}

// A name that a student's file may use for something else. Names with __ belong to the compiler and the C library alone.
bool may_be_own(std::string_view word) {
  if (is_one_of({"emulated", "section", "symver"}, word)) return true;
  return !word.starts_with("__") &&
         std::ranges::any_of(missing, [&](const Missing& m) { return m.message == unseen && matches(m.word, word); });
}

// __attribute__((name(...))), [[gnu::name(...)]]
bool is_in_attribute(const Tokens& tokens, size_t i) {
  while (i-- > 0 && !is_one_of({";", "{"}, tokens[i].text)) {
    if (tokens.is(i, "(")) return tokens.is(i - 1, "(") && (tokens.is(i - 2, "__attribute__") || tokens.is(i - 2, "__attribute"));
    if (tokens.is(i, "[")) return tokens.is(i - 1, "[");
    if (tokens.closes(i) && (i = tokens.opening(i)) == no_token) break;
  }
  return false;
}

struct Call {
  std::string_view name, replacement;  // none: the name stays
};
constexpr Call calls[] = {
    {"cudaLaunchKernel", "::lab::emulated::launch_kernel"},
    {"cudaLaunchCooperativeKernel", "::lab::emulated::launch_together"},
    {"cudaFuncSetAttribute", ""},
    {"cudaFuncSetCacheConfig", ""},
};

}  // namespace

Done check_name(const Tokens& tokens, size_t i) {
  if (!tokens.is_word(i)) return ok();
  const auto found = std::ranges::find_if(missing, [&](const Missing& m) { return matches(m.word, tokens[i].text); });
  if (found != std::end(missing)) return tokens.error(i, found->message);
  if (tokens.is(i, "texture") && tokens.is(i + 1, "<")) return tokens.error(i, textures);
  // The assembler reads the string as part of its own text, so it could hold more than a name.
  for (const std::string attribute : {"section", "symver"})
    if ((tokens.is(i, attribute) || tokens.is(i, "__" + attribute + "__")) && tokens.is(i + 1, "("))
      for (size_t in = i + 2; in < tokens.closing(i + 1); ++in)
        if (tokens[in].kind == TokenKind::string)
          return tokens.error(i, "the emulated device does not support " + attribute + " attributes: take this out");
  if (tokens.is(i, "lab") && tokens.is(i + 1, "::") && tokens.is(i + 2, "emulated")) return tokens.error(i, own);
  if (!tokens.is(i, "emulated")) return ok();
  const bool gives_name = tokens.is(i - 1, "=") && tokens.is(i - 3, "namespace");  // namespace other = emulated;
  if (tokens.is(i + 1, "::") || tokens.is(i - 1, "::") || tokens.is(i - 1, "namespace") || gives_name) return tokens.error(i, own);
  return ok();
}

void rename_own(const Tokens& tokens, const std::vector<bool>& of_student, Changes& changes) {
  std::set<std::string_view> own, attributes;
  std::vector<size_t> all;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is_word(i) || !of_student[tokens[i].origin] || !may_be_own(tokens[i].text)) continue;
    all.push_back(i);
    if (is_in_attribute(tokens, i)) attributes.insert(tokens[i].text);
    const bool reopens = tokens.is(i, "emulated") && tokens.is(i - 1, "namespace");
    if (!reopens && !own.contains(tokens[i].text) && is_declared(tokens, i)) own.insert(tokens[i].text);
  }
  for (const size_t i : all)
    if (own.contains(tokens[i].text) && !attributes.contains(tokens[i].text)) changes.replace(i, "variant_" + std::string(tokens[i].text));
}

void rewrite_call(const Tokens& tokens, size_t i, Changes& changes) {
  if (tokens.is(i, "cudaLaunchKernelEx") && tokens.is(i + 1, "(")) {
    changes.replace(i, i + 1, "::lab::emulated::launch_configured(::lab::emulated::Site{\"a kernel\"}, ", i);
    return;
  }
  const auto call = std::ranges::find_if(calls, [&](const Call& c) { return tokens.is(i, c.name); });
  if (call == std::end(calls) || !tokens.is(i + 1, "(")) return;
  const size_t first = i + 2, kernel = behind_cast(tokens, first);
  size_t end = kernel;
  while (end < tokens.size() && !tokens.is(end, ",") && !tokens.is(end, ";"))
    end = tokens.opens(end) ? tokens.closing(end) + 1 : end + 1;
  if (!call->replacement.empty())
    changes.replace(i, i + 1,
                    std::string(call->replacement) + "(::lab::emulated::Site{" +
                        quoted(on_one_line(tokens, kernel, std::min(end, tokens.size()))) + "}, ",
                    i);
  if (kernel > first) changes.replace(first, kernel - 1, newlines(tokens, first, kernel - 1), i);
}

}  // namespace harness
