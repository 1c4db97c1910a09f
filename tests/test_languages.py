"""The real program in another language: messages by the locale, the handout and the report by the config."""

import pytest
from conftest import ROOT

RULES = [{"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 20}]


def test_messages_follow_the_locale_and_what_programs_read_stays_english(lab):
    made = lab(grade={"rules": RULES}).variant("cpu_mine", (ROOT / "labs/starter/gemm.cpp").read_text()).sweep(size=[16])
    chinese = made.run("--points", before=["env", "LANG=zh_CN.UTF-8", "LC_MESSAGES="])
    assert chinese.code == 1, chinese.out + chinese.err
    assert "1 个用例, 1 个构建\n" in chinese.out and "WRONG " in chinese.out and "所有错误元素都是 0" in chinese.out
    assert "1 个用例中 0 个正确" in chinese.out and "得分\n" in chinese.out
    case, = chinese.cases.values()
    assert "every wrong cell is 0" in case["reason"]
    again = made.run("--points", "--language", "en", before=["env", "LANG=zh_CN.UTF-8", "LC_MESSAGES="])
    assert "1 case, 1 build\n" in again.out and "every wrong cell is 0" in again.out
    told = made.run("--json", "--language", "zh")
    assert "every wrong cell is 0" in told.out and "错误" not in told.out


@pytest.mark.parametrize("locale", ("LC_ALL=C", "LANG=fr_FR.UTF-8", "LANGUAGE=fr:zh_TW LANG=de_DE.UTF-8"))
def test_a_locale_without_a_catalogue_is_english(harness, locale):
    ran = harness("run", "nolab", before=["env", "LC_MESSAGES=", *locale.split()])
    assert (ran.code, ran.err[:16]) == (2, "harness: nolab: ")


def test_an_unknown_language_is_an_error(harness):
    ran = harness("list", "--language", "zh_CM")
    assert (ran.code, ran.err) == (2, 'harness: --language: language "zh_CM": there is no such catalogue (did you mean "zh_CN"?); '
                                      "there are en, zh_CN\n")


def test_the_config_decides_for_handout_and_report(harness, lab, tmp_path):
    made = lab(grade={"rules": RULES}, report={"language": "zh"}).sweep("cpu_baseline", "cpu_mine", size=[16])
    ran = harness("init", made.write(), tmp_path / "student")
    assert (ran.code, ran.err) == (0, "")
    readme = (tmp_path / "student/README.md").read_text()
    assert "## 查看得分\n" in readme and "| right | `cpu_mine` | 20 | 变体的用例正确；每个用例给出相应份额的分数 |\n" in readme
    made.run("--submission", tmp_path / "student", report=True).expect(1, cpu_mine="WRONG")
    assert "## 测量方法\n" in (made.results.folder / "small/latest/report.md").read_text()
