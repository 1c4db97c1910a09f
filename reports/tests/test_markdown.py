import pytest

from reports.document import Cell, Code, CodeBlock, Column, Document, Link, Paragraph, Section, Strong, Table, text
from reports.markdown import Writer, code, escape, first, render_markdown, slug
from reports.sections import document


def writer(*blocks) -> Writer:
    return Writer(Document("t", "l", "o", (), (), (Section(text("Not passed"), "bad", blocks),), ""))


@pytest.mark.parametrize("value, expected", [
    ("cpu_avx < 3 & more", "cpu_avx < 3 & more"),  # needs no escape, and stays legible
    ("a|b", "a\\|b"),
    ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
    ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
    ("[x](http://evil)", "\\[x\\](http:&#8203;//evil)"),
    ("![x](y)", "!\\[x\\](y)"),
    ("*bold* _italic_ ~gone~ `code` $x$", "\\*bold\\* \\_italic\\_ \\~gone\\~ \\`code\\` \\$x\\$"),
    ("www.evil.org @everyone", "www&#8203;.evil.org &#64;everyone"),
    ("a\nb", "a b"),
    ("c:\\x\\*", "c:\\\\x\\\\\\*"),
])
def test_text_stays_text(value, expected):
    assert escape(value) == expected


@pytest.mark.parametrize("value, expected", [
    ("1. one", "1\\. one"), ("- item", "\\- item"), ("# head", "\\# head"), ("> quote", "\\> quote"), ("=== x", "\\=== x"),
    ("4.83 ms", "4\\.83 ms"), ("plain", "plain"),
])
def test_the_beginning_of_a_line_starts_no_block(value, expected):
    assert first(value) == expected


def test_code_spans_hold_any_text():
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"
    assert code("") == "` `"


def test_code_blocks_cannot_be_closed_from_inside():
    assert writer().block(CodeBlock("x\n````\ny")) == "`````text\nx\n````\ny\n`````"


def test_tables():
    cells = ((Cell(text(Code("a|b"))), Cell(text("4.83"), "±0.02", best=True, tied=True)),
             (Cell(text("x|y")), Cell(text("9.0"), "n=3")), (Cell(text("z")), Cell(text("WRONG"), mark="a", word=True)))
    table = Table((Column(text("variant"), numeric=False), Column(text("128"), flat=text("size=128"))), cells, "Times", 1,
                  caption=text("Median."), notes=(("a", text("wrong: <b>")),))
    assert writer().block(table) == (
        "**Table 1. Times**\n\n"
        "| variant | size=128 |\n"
        "| --- | ---: |\n"
        "| `a\\|b` | **4.83 ±0.02** ~ |\n"
        "| x\\|y | 9.0 (n=3) |\n"
        "| z | WRONG (a) |\n\n"
        "Median.\n\n"
        "(a) wrong: &lt;b>")


def test_links_go_to_the_heading():
    made = writer()
    assert made.text(text("see ", Link("there", "bad"), Strong(" now"))) == "see [there](#not-passed)** now**"
    assert slug("How this was measured, in 3 steps") == "how-this-was-measured-in-3-steps"


def test_a_paragraph_that_begins_with_code():
    assert writer().block(Paragraph(text(Code("- x"), " y"))) == "`- x` y"


def test_the_whole_report_has_its_parts_in_order(student_run):
    made, _ = document(student_run)
    rendered = render_markdown(made)
    heads = [line for line in rendered.split("\n") if line.startswith("## ")]
    assert heads == ["## Summary", "## What else the numbers show", "## What was compared", "## Results", "## Cases that did not pass", "## Correctness",
                     "## How this was measured", "## Published figures", "## Provenance", "## All timed cases"]
    assert rendered.startswith("# 数据级并行 - data-level parallelism on CPU and GPU\n\n**46 of 56 passed; 5 wrong; 5 compile error; "
                               "32 skipped: no GPU was found on this machine**\n\n- **Lab:** lab5\n")
    assert "- **harness:** 0.1.0, commit abc1234\n" in rendered
    assert "- **Rerun:** `bin/harness run configs/lab5.yaml --budget 120s`" in rendered
    assert "![Lines: kernel time, ms over size 128 to 2048. " in rendered and "](plots/figure-2.svg)" in rendered
    assert rendered == render_markdown(document(student_run)[0])


def test_every_table_row_has_as_many_cells_as_its_head(student_run, gpu_run):
    import re

    for run in (student_run, gpu_run):
        rendered = render_markdown(document(run)[0])
        for block in re.findall(r"(?:^\|.*\n)+", rendered, flags=re.MULTILINE):
            counts = {len(re.findall(r"(?<!\\)\|", row)) for row in block.strip().split("\n")}
            assert len(counts) == 1, block
