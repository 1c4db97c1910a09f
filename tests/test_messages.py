"""What a student reads when a variant crashes, hangs or prints: the line of the mistake, and what it printed."""

import re
import time

import pytest

HEAD = '#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <immintrin.h>\n#include "lab/gemm.h"\n'
BODY = "LAB_NEEDS(avx2);\nLAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {\n  volatile float* c = g.c;\n  %s\n}\n"
# A line of a variant, which is line 9 of the file; its status; and its reason.
LINES = {
    "null": ("c = nullptr; c[g.n & 1] = 1;", "CRASHED",
             r"on m=1 n=1 k=1: segmentation fault while it ran: a null pointer\?, at mine\.cpp:9: c = nullptr; c\[g\.n & 1\] = 1;"),
    "misaligned": ("static float v[64]; volatile intptr_t at = (intptr_t(v) & -32) + 36; "
                   "_mm256_store_ps(reinterpret_cast<float*>(at), _mm256_set1_ps(1));",
                   "CRASHED", r"on m=1 n=1 k=1: segmentation fault while it ran: a misaligned vector load or store, or a pointer "
                   r"that was never set\?, at mine\.cpp:9: .*"),
    "overrun": ("for (int i = 0; i < 3000; ++i) c[g.m * g.ldc + i] = 1;", "OUT_OF_BOUNDS",
                r"on m=1 n=1 k=1: it touched memory \d+ bytes past the end of C \(1 x 1, 4 bytes\), at mine\.cpp:9: for .*"),
    "in the library": ("std::memset(g.c, 0, size_t{1} << 40);", "OUT_OF_BOUNDS",
                       r"on m=1 n=1 k=1: it touched memory \d+ bytes past the end of C \(1 x 1, 4 bytes\), at mine\.cpp:9: std::memset.*"),
    "endless": ("while (c) c[0] = 1;", "TIMEOUT",
                r"on m=1 n=1 k=1: no answer after 5 s while it ran, at mine\.cpp:9: while \(c\) c\[0\] = 1;"),
    "prints": ('std::printf("only for multiples of 8\\n"); c[0] = 3;', "WRONG", "on m=.*"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_mistake_is_told_with_its_line(lab, name):
    line, status, reason = LINES[name]
    start = time.monotonic()
    ran = lab().variant("mine", HEAD + BODY % line).sweep("cpu_baseline", "mine", size=16).run("--variant", "mine")
    assert time.monotonic() - start < 30
    case = ran.expect(1, mine=status).case("mine")
    assert re.fullmatch(reason, case["reason"]), case["reason"]
    if name == "prints":
        assert case["notes"][0]["arguments"]["output"].startswith("only for multiples of 8\n")
        assert "it printed: only for multiples of 8\n" in ran.out
