"""counters.csv and sanitizer.txt of on_device.sh -> one JSON file: record.py FOLDER "NVIDIA H200, driver 580" > h200.json
With a third argument, an older such file: what FOLDER has replaces what is there, and the rest stays."""

import csv
import json
import re
import sys
from pathlib import Path

METRICS = {
    "sectors_ld": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "sectors_st": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "conflicts_ld": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "conflicts_st": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "wavefronts_ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "wavefronts_st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}


def counters(file):
    sums = {}
    if not file.exists():
        return sums
    for row in csv.reader(file.open()):
        if row[1] == "ID":
            continue
        sums.setdefault(row[0], {}).setdefault(row[13], 0)
        sums[row[0]][row[13]] += int(row[15].replace(",", ""))
    return {name: {short: row[metric] for short, metric in METRICS.items()} for name, row in sorted(sums.items())}


def verdicts(file):
    """Of each variant, what each tool's first report says, and at which lines of the variant."""
    said = {}
    for part in file.read_text().split("## ")[1:]:
        head, _, text = part.partition("\n")
        name, tool = head.split()
        first = re.search(r"^=+ (?!ERROR SUMMARY|RACECHECK SUMMARY)(?:Warning: |Error: )?(.*)$", text, re.M)
        lines = sorted({int(n) for n in re.findall(re.escape(name.removeprefix("planted-")) + r"\.cu:(\d+)", text)})
        what = re.split(r" between | by thread | at |: ", first[1])[0] if first else "nothing"
        if text.startswith("not run"):
            what = text.strip()
        elif not text.strip():
            what = "stopped: it did not end"
        said.setdefault(name, {})[tool] = {"says": what, "lines": lines}
    return said


folder = Path(sys.argv[1])
old = json.loads(Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else {}
seen = {"counters": counters(folder / "counters.csv"), "sanitizer": verdicts(folder / "sanitizer.txt")}
print(json.dumps({"device": sys.argv[2]} | {part: old.get(part, {}) | new for part, new in seen.items()}, indent=1))
