"""Catalogues are complete, and one more file is one more language."""

import subprocess

import polib
import pytest

from reports import language, translations
from reports.errors import ReportError
from reports.language import speaking, told, tr, tr_many
from reports.render import render_run
from reports.sections import document

CATALOGUES = sorted(language.FOLDER.glob("*.po"))
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;\\n"\n'
MADE_UP = HEAD + """
msgid "Summary"
msgstr "Resumo"

#, fuzzy
msgid "Results"
msgstr "Rezulto?"

msgid "{n} case"
msgid_plural "{n} cases"
msgstr[0] "{n} kazo"
msgstr[1] "{n} kazoj"
msgstr[2] "multaj kazoj"

#. stored
msgid "{} of {:.4g} cells {}{}"
msgstr "el {1}: {0} ({2}{3})"

#. stored
msgid " at {}"
msgstr " @{}"

msgid "; "
msgstr " / "

#. stored
msgid "no \\"{}\\"; there is {}"
msgstr "neniu \\"{}\\"; estas {}"

#. stored
msgid "{}"
msgstr "<{}>"

msgid "{n} more"
msgstr "{m} pli {"
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    language.load.cache_clear()
    (tmp_path / "eo.po").write_text(MADE_UP, encoding="utf-8")
    with speaking("eo_XX.UTF-8"):
        yield
    language.load.cache_clear()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_catalogue_is_complete(path):
    found = list(translations.wrong(polib.pofile(str(path))))
    assert not found, "\n".join([*found, "run: .venv/bin/python -m reports.translations, and translate what is new"])


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_catalogue_is_as_the_program_writes_it(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    translations.update(copy)
    assert copy.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), "run: .venv/bin/python -m reports.translations"


def test_a_new_catalogue_lists_every_text_and_what_is_wrong_with_one(tmp_path):
    path = tmp_path / "eo.po"
    translations.update(path)
    catalogue = polib.pofile(str(path))
    assert len(catalogue) == len(translations.texts()) > 500
    summary, other = catalogue.find("Summary"), catalogue.find("{n} of {all}")
    summary.msgstr, summary.flags = "Resumo?", ["fuzzy"]
    other.msgstr = "{n} el {cxiuj}"
    catalogue.remove(catalogue.find("Results"))
    catalogue.append(polib.POEntry(msgid="Nobody says this", msgstr="Neniu"))
    found = set(translations.wrong(catalogue))
    assert {"fuzzy: Summary", "not in the catalogue: Results", "no code has this text: Nobody says this",
            "other values than in the text: {n} el {cxiuj}", "not translated: All timed cases"} <= found


def test_one_file_is_a_language(made_up):
    assert (tr("Summary"), tr("Results"), tr(""), tr("Not there {n}", n=1)) == ("Resumo", "Results", "", "Not there 1")
    assert tr("{n} more", n=3) == "3 more"
    assert [tr_many("{n} case", "{n} cases", n) for n in (1, 2, 5)] == ["1 kazo", "2 kazoj", "multaj kazoj"]


def test_a_text_of_the_program_is_found_by_its_format(made_up):
    assert told("3 of 64 cells differ at mine.cu:7") == "el 64: 3 (differ @mine.cu:7)"
    assert told("differ; Summary") == "differ / Resumo"
    assert (told("2 cases"), told("2 things: {0} cases")) == ("2 kazoj", "2 things: {0} cases")
    assert told("something else") == "something else"
    assert told('a.yaml:3: no "Summary"; there is Summary') == 'a.yaml:3: neniu "Summary"; estas Resumo'


def test_a_text_of_a_student_takes_no_long_time(made_up):
    for hostile in ("a: b; " * 99, "1 of 1 of 1 " * 49, "1 of 1 cells" * 9999, "{0}{n} of {} cells", "9" * 500 + " cases"):
        assert told(hostile)


def test_a_report_in_one_language_leaves_the_next_one_english(plain_run):
    with speaking("zh"):
        assert document(plain_run)[0].sections[0].title == ("摘要",)
    assert document(plain_run)[0].sections[0].title == ("Summary",)


@pytest.mark.parametrize("asked, name", (("zh", "zh_CN"), ("zh-CN", "zh_CN"), ("zh_CN.UTF-8", "zh_CN"), ("en_GB", "en")))
def test_names_of_languages(asked, name):
    assert language.find(asked) == name


@pytest.mark.parametrize("asked", ("zh_TW", "../zh_CN", "ZH", "zhcn"))
def test_an_unknown_language_is_an_error(asked):
    with pytest.raises(ReportError, match="there is no such catalogue.*there are en, zh_CN"):
        language.find(asked)


def test_a_chinese_report(folder, recorded):
    recorded["report"]["language"] = "zh"
    made = folder(recorded)
    render_run(made, ("md", "html", "pdf"))
    page = (made / "report.html").read_text(encoding="utf-8")
    assert '<html lang="zh-CN">' in page and "摘要</h2>" in page and "按回车、单击或轻触：查看全部" in page
    assert "## 测量方法" in (made / "report.md").read_text(encoding="utf-8")
    text = subprocess.run(["pdftotext", made / "report.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "摘要" in text and "置信区间" in text
    fonts = subprocess.run(["pdffonts", made / "report.pdf"], capture_output=True, text=True, check=True).stdout
    assert "Noto-Sans-CJK-SC" in fonts and "CJK-JP" not in fonts
    render_run(made, ("md",), "en")
    assert "## Summary" in (made / "report.md").read_text(encoding="utf-8")
