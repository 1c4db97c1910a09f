"""Exports of one table: CSV, Markdown, LaTeX, JSON."""

import json
import re

import pytest

from reports.__main__ import main
from reports.catalogue import catalogue, find
from reports.errors import ReportError
from reports.export import FORMATS, listed
from reports.latex import escape
from reports.tests.small import SIZES, ms, small_run, timed

CASES = [timed("cpu_base", 1024, ms(4.8312345678901, 0.25)), timed("cpu_base", 128, ms(0.1, n=3)),
         timed("cpu_x", 128, ms(2.0, 0.5, n=9), status="UNSTABLE", reason="wide"),
         timed("cpu_x", 1024, {}, status="WRONG", reason="1 cell differs")]
COLUMNS = [{"name": "type", "axis": "variant"}, {"name": "M", "parameter": "m"},
           {"name": "time_s", "metric": "kernel_ms", "scale": 0.001, "unit": "s"}]
LINES = {"name": "lines", "sweep": "sizes", "columns": COLUMNS}


def made(run, name: str, form: str, shape: str = "") -> str:
    return FORMATS[form](run, find(catalogue(run), name), shape)


def test_csv_has_one_row_per_case_with_all_digits():
    assert made(small_run(CASES, [SIZES]), "times", "csv") == (
        "variant,size,metric,median,low,high,n,unit,status\n"
        "cpu_base,128,kernel_ms,0.1,,,3,ms,PASSED\n"
        "cpu_base,1024,kernel_ms,4.8312345678901,4.5812345678901,5.0812345678901,12,ms,PASSED\n"
        "cpu_x,128,kernel_ms,2.0,1.5,2.5,9,ms,UNSTABLE\n"
        "cpu_x,1024,kernel_ms,,,,,ms,WRONG\n")


def test_csv_in_the_shape_of_the_table():
    assert made(small_run(CASES, [SIZES]), "Times", "csv", "table") == (
        "variant,size=128,size=1024\n"
        "cpu_base,0.1,4.8312345678901\n"
        "cpu_x,UNSTABLE 2.0,WRONG\n")


def test_csv_quotes_what_would_break_a_line():
    run = small_run([timed("cpu_base", 8, ms(1, 0.1), axes={"order": 'a,"b"'})], [SIZES])
    assert made(run, "times", "csv").splitlines()[1].startswith('cpu_base,8,"a,""b""",kernel_ms,')


def test_the_baseline_has_a_speedup_of_one():
    cases = [timed("cpu_base", 8, ms(4, 0.1)), timed("cpu_x", 8, ms(2, 0.1, median=2.01, low=1.9, high=2.1))]
    run = small_run(cases, [{**SIZES, "values": ["speedup"]}])
    assert [row.split(",")[3] for row in made(run, "times", "csv").splitlines()[1:]] == ["1", "2.01"]


def test_json_has_types():
    found = json.loads(made(small_run(CASES, [SIZES]), "times", "json"))
    assert found["run"] == "20261121-091500-3f2a" and found["table"] == "Times"
    assert {column["name"]: column["type"] for column in found["columns"]} == {
        "variant": "text", "size": "integer", "metric": "text", "median": "number", "low": "number", "high": "number",
        "n": "integer", "unit": "text", "status": "text"}
    assert found["rows"][0] == {"variant": "cpu_base", "size": 128, "metric": "kernel_ms", "median": 0.1, "low": None,
                                "high": None, "n": 3, "unit": "ms", "status": "PASSED"}
    shaped = json.loads(made(small_run(CASES, [SIZES]), "times", "json", "table"))
    assert shaped["columns"][1:] == [{"name": "size=128", "type": "number or text"}, {"name": "size=1024", "type": "number or text"}]


def test_markdown_is_the_table_of_the_report():
    found = made(small_run(CASES[:2], [SIZES]), "times", "md")
    assert found.startswith("**Times**\n\n| variant | size=128 | size=1024 |\n| --- | ---: | ---: |\n"
                            "| `cpu_base` | 0.100 (n=3) | 4.83 ±0.25 |\n\nKernel time in ms")
    assert "| cpu_base | 128 | kernel_ms | 0.1 | – | – | 3 | ms | PASSED |" in made(small_run(CASES, [SIZES]), "times", "md", "tidy")


def test_latex_has_the_rules_of_booktabs():
    found = made(small_run(CASES, [SIZES]), "times", "latex").splitlines()
    assert found[0] == r"\begin{table}" and found[2].startswith(r"\caption{Times. Kernel time in ms")
    assert found[3:] == [
        r"\label{tab:times}", r"\begin{tabular}{lrr}", r"\toprule", r" & \multicolumn{2}{c}{size} \\", r"\cmidrule(lr){2-3}",
        r"variant & 128 & 1024 \\", r"\midrule",
        r"\texttt{cpu\_base} & 0.100 (n=3) & 4.83 $\pm$0.25 \\",
        r"\texttt{cpu\_x} & 2.0 $\pm$0.5\textsuperscript{a} & WRONG\textsuperscript{b} \\", r"\bottomrule", r"\end{tabular}",
        r"\par\footnotesize\textsuperscript{a} unstable: wide", r"\par\footnotesize\textsuperscript{b} wrong: 1 cell differs",
        r"\end{table}"]


def test_latex_escapes_everything():
    assert escape(r"50 % of \input{a_b} & $x^2$ # ~ [c]") == (
        r"50 \% of \textbackslash{}input\{a\_b\} \& \$x\textasciicircum{}2\$ \# \textasciitilde{} {[}c{]}")


def test_every_table_of_a_report_is_balanced_latex(student_run):
    for entry in catalogue(student_run):
        found = made(student_run, entry.name, "latex")
        assert re.findall(r"\\(begin|end)\{(\w+)\}", found) == [("begin", "table"), ("begin", "tabular"), ("end", "tabular"), ("end", "table")]
        bare = re.sub(r"\\[\\{}$&]", "", found)
        assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
        rows = [line for line in found.splitlines() if line.endswith(r"\\")]
        assert len({bare_row.replace(r"\&", "").count("&") for bare_row in rows if "multicolumn" not in bare_row}) == 1


def test_an_export_of_the_configuration_has_its_columns():
    run = small_run(CASES, exports=[LINES])
    assert made(run, "lines", "csv") == ("type,M,time_s\ncpu_base,1024,0.0048312345678901\ncpu_base,128,0.0001\n"
                                         "cpu_x,128,\ncpu_x,1024,\n"), "an unstable number would look valid"
    status = {**LINES, "columns": [*COLUMNS, {"name": "status", "axis": "status"}]}
    assert made(small_run(CASES, exports=[status]), "lines", "csv").splitlines()[3] == "cpu_x,128,0.002,UNSTABLE"
    found = json.loads(made(run, "lines", "json"))
    assert found["columns"] == [{"name": "type", "type": "text"}, {"name": "M", "type": "integer"},
                                {"name": "time_s", "type": "number", "unit": "s"}]


def test_a_parameter_that_no_case_has():
    wrong = {**LINES, "columns": [{"name": "M", "parameter": "mm"}]}
    with pytest.raises(ReportError) as caught:
        made(small_run(CASES, exports=[wrong]), "lines", "csv")
    assert str(caught.value) == 'run.json: report: export 1: column 1: no case has a parameter "mm" (did you mean "m"?)'


def test_names():
    run = small_run(CASES, [SIZES, {**SIZES, "rows": ["size"], "columns": ["variant"]}], exports=[LINES])
    assert [entry.name for entry in catalogue(run)][:4] == ["lines", "times", "times-2", "sweep-sizes"]
    assert listed(run).splitlines()[:2] == ["lines        export of the configuration", "times        Times"]
    for word in ("times", "Times", "TIMES"):
        assert find(catalogue(run), word).name == "times"
    with pytest.raises(ReportError) as caught:
        find(catalogue(run), "tmies")
    assert str(caught.value) == 'unknown table "tmies" (did you mean "times"?); known tables: lines, times, times-2, sweep-sizes'


def test_a_table_that_the_run_left_empty():
    run = small_run(CASES, [{**SIZES, "sweep": "others"}])
    assert made(run, "times", "csv").splitlines() == ["variant,size,metric,median,low,high,n,unit,status"]
    with pytest.raises(ReportError) as caught:
        made(run, "times", "md")
    assert str(caught.value) == 'table "times" is empty: the run has no such case'


def test_the_command(folder, recorded, tmp_path, capsys):
    run_dir = str(folder(recorded))
    assert main(["export", run_dir, "--table", "cpu-variants-by-size", "--format", "csv", "-o", str(tmp_path / "t.csv")]) == 0
    assert (tmp_path / "t.csv").read_text().startswith("variant,size,metric,median,")
    assert main(["export", run_dir, "--table", "cpu-variants-by-sise"]) == 2
    assert capsys.readouterr().err.startswith('unknown table "cpu-variants-by-sise" (did you mean "cpu-variants-by-size"?); known tables: ')
    assert main(["export", run_dir, "--table", "cpu-variants-by-size", "-o", str(tmp_path)]) == 3
    assert capsys.readouterr().err.endswith("cannot be written: Is a directory\n")
