"""The real program in another language: messages by the locale, the handout and the report by the config."""

import re

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


def test_tables_are_translated_and_stay_aligned(harness, lab):
    made = lab(title="Two").sweep("cpu_baseline", size=[16, 24])
    chinese = ["--language", "zh"]
    needs = harness("list", "--needs", *chinese).out
    assert "avx2         AVX2 向量指令\n" in needs and "threads      POSIX 线程\n" in needs
    assert "\n沙箱\n" in harness("list", *chinese).out
    plan = harness("plan", made.write(), *chinese).out
    assert "  运行  cpu_baseline           size=16\n" in plan
    assert "\n2 个用例：2 个将运行，0 个跳过，0 个被配置排除；1 个构建\n" in plan
    doctor = harness("doctor", *chinese).out
    assert re.search(r"^(正常|受限)     CPU       ", doctor, re.M), doctor
    assert re.search(r"\n\d+ 项正常，\d+ 项受限，\d+ 项缺少\n$", doctor), doctor
    made.run()
    made.run("--fresh")
    results = ["--results", made.results.folder]
    head, first, _ = harness("runs", *chinese, *results).out.splitlines()
    assert head.startswith("运行  ") and head.split() == ["运行", "实验", "UTC", "机器", "大小", "用例数"]
    # A Chinese character takes two columns.
    assert len(head[:head.index("UTC")].encode("gbk")) == first.index(first.split()[2])
    page = harness("show", "latest", "size=16", *chinese, *results).out
    assert re.search(r"\n样本：\d+，每个样本 \d+ 次调用，停止原因 \w+\n", page), page
    assert "\n  处理器       " in page and "\n构建\n" in page
    a, b = (line.split()[0] for line in harness("runs", *results).out.splitlines()[1:])
    compared = harness("compare", a, b, *chinese, *results).out
    assert "\n按变体：比值的几何平均\n" in compared, compared
    assert "\n2 个单元: " in compared


def test_help_is_translated(harness):
    run = harness("run", "--help", "--language", "zh").out
    assert run.startswith("构建、检查、计时并报告一个实验的变体\n用法: harness run ")
    assert "  config TEXT REQUIRED        实验的 YAML 文件\n" in run and "\n选项:\n" in run
    assert "  --sweep NAME ...            只选这个扫描；可重复\n" in run
    assert "\n命令:\n  run                         构建、检查" in harness("--help", "--language", "zh").out
    assert "\nSubcommands:\n" in harness("--help").out
