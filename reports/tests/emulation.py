"""A run whose GPU cases ran on the emulated device, with diagnostics of two variants in the words of the harness."""

from reports.tests.recorded import passed_check

ROW_WALK = "      sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];"


def advice(kind: str, line: int, have: int, ideal: int, source: str, what: str, fix: str, **more) -> dict:
    return {"kind": kind, "severity": "advice", "kernel": "gemm", "file": "gpu_naive.cu", "line": line, "other_file": "",
            "other_line": 0, "source": source, "what": what, "fix": fix, "count": 512, "have": have, "ideal": ideal,
            "block": [0, 0, 0], "thread": [0, 0, 0], **more}


def naive(block: int) -> list[dict]:
    """The diagnostics of gpu_naive. A narrower block has worse memory accesses."""
    have = 512 * 32 // block
    wide = [
        advice("uncoalesced", 28, have, 512, ROW_WALK,
               f"each request of a warp touches {have / 512:.1f} blocks of 32 bytes where 1.0 would do: gpu_naive.cu:28 uses "
               f"{51200 / have:.0f} % of what it fetches", "let neighbouring threads (threadIdx.x) use neighbouring elements")] if block < 32 else []
    return wide + [
        advice("divergence", 23, 9 * block, 32 * block, "  if (col >= g.n) return;",
               "9.0 of 32.0 lanes of a warp take part at gpu_naive.cu:23: the others wait in another branch",
               "branch on what is the same for a whole warp, or give the threads work such that neighbours do the same")]


RACE = {"kind": "race_shared", "severity": "mistake", "kernel": "gemm", "file": "gpu_shared.cu", "line": 41, "other_file": "gpu_shared.cu",
        "other_line": 38, "source": "        sum += a[threadIdx.y][p] * b[p][threadIdx.x];",
        "what": "thread (1,0) reads at gpu_shared.cu:41 what thread (0,0) writes at gpu_shared.cu:38, and there is no barrier between "
                "them (block (0,0))",
        "fix": "put __syncthreads() between the two, reached by every thread of the block", "count": 12, "have": 0, "ideal": 0,
        "block": [0, 0, 0], "thread": [1, 0, 0]}


def emulate(run: dict, racy_blocks=(), diagnostics: bool = True) -> dict:
    """All GPU cases passed on the emulated device, except gpu_shared with these values of BLOCK."""
    check = passed_check(0.02) | {"timed_output": False, "shapes": 18}
    check["lines"] = check["lines"][:2]
    for case in run["cases"]:
        if not case["variant"].startswith("gpu"):
            continue
        block, racy = case["axes"]["BLOCK"], case["variant"] == "gpu_shared" and case["axes"]["BLOCK"] in racy_blocks
        found = naive(block) if case["variant"] == "gpu_naive" else [RACE] if racy else []
        case.update(samples_ms=[], rounds=[], warmup_ms=[], calls_per_sample=1, stop_reason="none", device="emulated", gpu="", status="WRONG" if racy else "PASSED", reason=RACE["what"] if racy else "", metrics={},
                    check=check, diagnostics=found if diagnostics else [], notes=[])
    run["emulated"] = {"lanes": 32, "schedule": "in order", "diagnostics": diagnostics}
    return run
