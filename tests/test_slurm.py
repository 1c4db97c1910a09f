"""harness grade --executor: the jobs of a class, on a real Slurm with two nodes and as processes of this machine."""

import json
import os
import re
import signal
import sqlite3
from pathlib import Path

import pytest
from conftest import ROOT
from slurm_class import ENDLESS, WRONG, Watched, pupils, slurm  # noqa: F401, fixtures
from slurm_daemons import NODES


def decided(students):
    """What is the same in two runs of the same files: data and so the first wrong cell differ."""
    return {id: [student.get(key) for key in ("status", "key", "files", "earned", "of", "open")] + [award["earned"] for award in student["rules"]]
            for id, student in students.items()}


@pytest.mark.parametrize("executor", ["local", "slurm"])
def test_jobs_give_the_points_of_this_machine(pupils, request, executor):
    if executor == "slurm":
        request.getfixturevalue("slurm")
    pupils.submit("anna").submit("ben", "int broken(\n").submit("carla", WRONG + "// c\n").submit("dora")
    (pupils.folder / "submissions/emil").mkdir()
    here = pupils.folder / "here"
    assert pupils.grade(results=here).code == 0
    ran = pupils.grade("--executor", executor, "--per-job", 2)
    assert ran.code == 0, ran.out + ran.err
    assert ": 2 tasks\n" in ran.out and "\n[3/3] " in ran.out, ran.out  # dora has anna's files
    assert decided(pupils.students()) == decided(pupils.students(here))
    assert len(pupils.lab.results.states()) == 3 and set(pupils.lab.results.states().values()) == {"complete"}
    assert pupils.lab.results.query("SELECT count(*) FROM cases") == [(6,)]
    assert pupils.lab.harness("show", pupils.students()["anna"]["run"], "cpu_mine size=16", "--results", pupils.lab.results.folder).code == 0
    assert not pupils.home.exists()
    pupils.lab.keys["executor"] = {"time": "5m"}  # does not change a run
    again = pupils.grade("--executor", executor)
    assert again.code == 0 and "submitted" not in again.out and again.out.count("(known)") == 4, again.out
    assert pupils.grade("--executor", executor, "--dry-run").out == "nothing is new: there is nothing to submit\n"


def test_the_script_can_be_read_first(pupils, slurm):
    for id in range(5):
        pupils.submit(f"s{id}", WRONG + f"// {id}\n")
    pupils.lab.keys["executor"] = {"partition": "small", "time": "30m", "account": "cs205", "submissions_per_job": 2, "sbatch": ["--exclusive"]}
    before = slurm.jobs()
    ran = pupils.grade("--executor", "slurm", "--dry-run", "--partition", "short", "--gres", "gpu:1", "--constraint", "h200")
    assert ran.out == f"""#!/bin/bash
#SBATCH --job-name="harness-small-00000000"
#SBATCH --array="0-2"
#SBATCH --chdir="{ROOT}"
#SBATCH --output="{pupils.home}/%a.log"
#SBATCH --open-mode="append"
#SBATCH --no-requeue
#SBATCH --partition="short"
#SBATCH --gres="gpu:1"
#SBATCH --account="cs205"
#SBATCH --constraint="h200"
#SBATCH --time="0-00:30:00"
#SBATCH --exclusive
export HARNESS_ROOT='{ROOT}'
exec '{pupils.lab.harness.path}' shard '{pupils.home}'/"$SLURM_ARRAY_TASK_ID"
""", ran.err
    assert slurm.jobs() == before and not pupils.home.exists()


REFUSED = 'sbatch refuses the job: ~; sinfo --format="%P %N %G %f" shows what the nodes have'


@pytest.mark.parametrize("words, code, error", [
    (["--executor", "slrm"], 2, '--executor "slrm" is unknown (did you mean "slurm"?); there are local, slurm'),
    (["--gres", "gpu:1"], 2, "--partition, --gres, --time, --account, --constraint, --sbatch and --dry-run are about jobs; add --executor slurm"),
    (["--executor", "slurm", "--time", "soon"], 2, '--time "soon" is not a time; write for example 30m or 2h'),
    (["--executor", "slurm", "--per-job", "0"], 2, '--per-job "0" is not a number from 1'),
    (["--executor", "slurm", "--partition", "smal"], 2, '--partition: Slurm has no partition "smal" (did you mean "small"?); there are short, small, urgent'),
    (["--executor", "slurm", "--gres", "gpu:1"], 2, REFUSED), (["--executor", "slurm", "--constraint", "h200"], 2, REFUSED)])
def test_what_cannot_be_submitted(pupils, slurm, words, code, error):
    ran = pupils.submit("anna").grade(*words)
    # "~": what Slurm says, which differs between its versions.
    assert re.fullmatch(re.escape(f"harness: {error}\n").replace("\\~", "[^;]+"), ran.err) and (ran.code, ran.out) == (code, ""), ran.err
    assert not pupils.home.exists() and not pupils.lab.results.folder.joinpath("small/grades/grades.json").exists()


def test_the_position_of_a_wrong_partition(pupils, slurm):
    pupils.lab.keys["executor"] = {"partition": "shrot"}
    ran = pupils.submit("anna").grade("--executor", "slurm")
    text = pupils.lab.file.read_text()
    line = 1 + text[:text.index('"shrot"')].count("\n")
    column = 1 + text.splitlines()[line - 1].index('"shrot"')
    assert ran.err == f'harness: {pupils.lab.file}:{line}:{column}: Slurm has no partition "shrot" (did you mean "short"?); there are short, small, urgent\n'
    pupils.lab.keys["executor"] = {"partitoin": "small"}
    assert 'unknown key "partitoin" (did you mean "partition"?)' in pupils.grade("--executor", "slurm").err


def test_a_machine_without_slurm_or_munge(pupils, slurm, monkeypatch):
    pupils.submit("anna")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(pupils.folder))
        ran = pupils.grade("--executor", "slurm")
    assert (ran.code, ran.err) == (3, 'harness: --executor slurm: cannot find the program "sbatch"; run this on a machine where jobs of the cluster '
                                      "can be submitted\n")
    broken = pupils.folder / "slurm.conf"
    broken.write_text(slurm.config.read_text().replace("munge.socket", "gone.socket"))
    monkeypatch.setenv("SLURM_CONF", str(broken))
    ran = pupils.grade("--executor", "slurm")
    assert (ran.code, ran.err) == (3, "harness: sbatch cannot reach munge, which tells Slurm who you are; start munge on this machine, or ask its "
                                      "administrator\n")
    assert not pupils.home.exists()


def kill_shards(folder):
    """Ends the processes of shards in this folder, as a node that loses power does."""
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"shard\0{folder}" in command.read_text():
                os.kill(int(command.parent.name), signal.SIGKILL)
        except OSError:  # it ended meanwhile
            pass


def test_a_lost_node_and_a_cancelled_job(pupils, slurm):
    """What was finished before stays; what was not runs on another node."""
    pupils.submit("anna").submit("zoe", ENDLESS)
    command = pupils.start("--executor", "slurm", "--per-job", 2)
    try:
        slurm.wait_for(lambda: [file for file in pupils.home.glob("0/outcomes/*") if file.suffix != ".tmp"])
        (job, _, lost), = slurm.tasks("RUNNING")
        command.process.send_signal(signal.SIGSTOP)  # so that it cannot submit the next job before this one is dead
        slurm.set_nodes("down", [lost])
        kill_shards(pupils.home)
        command.process.send_signal(signal.SIGCONT)
        other, = set(NODES) - {lost}
        second, = slurm.wait_for(lambda: [task for task in slurm.tasks("RUNNING") if task[0] != job])
        assert second[2] == other
        slurm.ask("scancel", second[0])
        code, out = command.finish()
    finally:
        slurm.bring_back()
    assert f"job {job}_0 died on {lost}: NODE_FAIL" in out, out
    assert code == 3 and f"job {second[0]}_0 was cancelled; run the same command again" in out, out
    students = pupils.students()
    assert (students["anna"]["status"], students["zoe"]["status"]) == ("GRADED", "FAILED")
    assert students["zoe"]["reason"] == f"job {second[0]}_0 was cancelled; run the same command again"
    pupils.submit("zoe", WRONG + "// no longer endless\n")
    assert pupils.grade("--executor", "slurm").code == 0
    assert {student["status"] for student in pupils.students().values()} == {"GRADED"} and not pupils.home.exists()
    assert pupils.students()["anna"]["run"] == students["anna"]["run"], "nothing is run twice"


def test_a_job_that_always_dies(pupils, slurm):
    pupils.submit("zoe", ENDLESS)
    command, jobs = pupils.start("--executor", "slurm"), []
    for _ in range(3):
        job, = slurm.wait_for(lambda: [task for task in slurm.tasks("RUNNING") if task[0] not in [one[0] for one in jobs]])
        jobs.append(job)
        slurm.wait_for(lambda: kill_shards(pupils.home) or job not in slurm.tasks("RUNNING"))
    code, out = command.finish()
    assert code == 3 and len({job[0] for job in jobs}) == 3, out
    assert {job[2] for job in jobs[:2]} == set(NODES), "the second job runs on another node"
    assert pupils.students()["zoe"]["reason"] == (f"job {jobs[2][0]}_0 died on {jobs[2][2]}: FAILED, for the third time; all it printed is in "
                                                  f"{pupils.home}/0.log")


def test_a_time_limit(pupils, slurm):
    """Another node would not help: the next job may run on the same one."""
    pupils.submit("zoe", ENDLESS)
    command = pupils.start("--executor", "slurm", "--partition", "short", "--time", "5m")
    (job, task, node), = slurm.wait_for(lambda: slurm.tasks("RUNNING"))
    slurm.ask("scontrol", "update", f"JobId={job}_{task}", "TimeLimit=0")  # or else this takes five minutes
    (second, _, same), = slurm.wait_for(lambda: [task for task in slurm.tasks("RUNNING") if task[0] != job])
    slurm.ask("scancel", second)
    code, out = command.finish()
    assert code == 3 and f"job {job}_0 died on {node}: TIMEOUT" in out and same == node, out
    assert pupils.students()["zoe"]["reason"] == f"job {second}_0 was cancelled; run the same command again"


def test_a_full_queue(pupils, slurm):
    """The job waits behind those of others, and is not submitted again."""
    pupils.submit("anna")
    others = [slurm.ask("sbatch", "--parsable", "--output=/dev/null", "--wrap=sleep 600").strip() for _ in range(3)]
    try:
        slurm.wait_for(lambda: len(slurm.tasks("RUNNING")) == 2)
        command = pupils.start("--executor", "slurm")
        (job, _, _), = slurm.wait_for(lambda: [task for task in slurm.tasks("PENDING") if task[0] not in others])
        assert command.process.poll() is None
        slurm.ask("scancel", *others[:2])  # the third is before ours
        slurm.wait_for(lambda: job in [task[0] for task in slurm.tasks("RUNNING")] or command.process.poll() is not None)
    finally:
        slurm.ask("scancel", *others)
    code, out = command.finish()
    assert code == 0 and out.count("submitted job") == 1, out
    assert pupils.students()["anna"]["status"] == "GRADED"


def test_many_tasks(pupils, slurm):
    """Each gets a run and a grade of its own."""
    tasks = 120
    for id in range(tasks):
        pupils.submit(f"s{id}", f"int broken{id}(\n")
    program = pupils.lab.harness
    ran = program.finish(program.start(*pupils.words("--executor", "slurm", "--per-job", 1)), timeout=900)
    assert ran.code == 0 and f": {tasks} tasks\n" in ran.out and f"\n[{tasks}/{tasks}] " in ran.out, ran.out[-2000:] + ran.err
    students = pupils.students()
    assert len(students) == tasks and {student["status"] for student in students.values()} == {"GRADED"}
    assert len({student["run"] for student in students.values()}) == tasks


def test_a_cancelled_array(pupils, slurm):
    """Tasks that ran and tasks that waited: none is lost, and none is submitted again before somebody asks."""
    for id in range(3):
        pupils.submit(f"s{id}", f"{ENDLESS}// {id}\n")
    command = pupils.start("--executor", "slurm", "--per-job", 1)
    slurm.wait_for(lambda: len(slurm.tasks("RUNNING")) == 2)
    (job, _, _), = slurm.tasks("PENDING")
    slurm.ask("scancel", job)
    code, out = command.finish()
    assert code == 3 and out.count("submitted job") == 1, out
    assert {student["reason"] for student in pupils.students().values()} == {
        f"job {job}_{task} was cancelled; run the same command again" for task in range(3)}
    for id in range(3):
        pupils.submit(f"s{id}", f"{WRONG}// {id}\n")
    assert pupils.grade("--executor", "slurm").code == 0
    assert {student["status"] for student in pupils.students().values()} == {"GRADED"}


def finished_cases(shard):
    """The records of size=16, one of each run, in the store of a shard that may not exist yet."""
    try:
        with sqlite3.connect(f"file:{shard}/harness.sqlite?mode=ro", uri=True) as store:
            return [json.loads(text) for text, in store.execute("SELECT record FROM cases WHERE id LIKE '% size=16' ORDER BY row")]
    except sqlite3.OperationalError:
        return []


@pytest.mark.parametrize("how", ["preempted", "requeued"])
def test_a_job_that_must_make_room(pupils, slurm, how):
    """Its finished case is kept; the case in flight is measured by the next job."""
    pupils.submit("zoe", ENDLESS)
    command = pupils.start("--executor", "slurm", "--partition", "short", *["--sbatch=--requeue"] * (how == "requeued"))
    slurm.wait_for(lambda: finished_cases(pupils.home / "0"))
    (job, task, _), = slurm.tasks("RUNNING")
    if how == "preempted":
        slurm.ask("sbatch", "--partition=urgent", "--output=/dev/null", "--wrap=sleep 5")
    else:
        slurm.ask("scontrol", "requeue", f"{job}_{task}")
        slurm.wait_for(lambda: slurm.tasks("PENDING"))
        slurm.ask("scontrol", "update", f"JobId={job}_{task}", "StartTime=now")  # or else Slurm waits for two minutes
    first, second = slurm.wait_for(lambda: len(found := finished_cases(pupils.home / "0")) == 2 and found)
    slurm.ask("scancel", "--name", pupils.home.joinpath("array").read_text().split()[0])
    code, out = command.finish()
    assert code == 3 and (f"job {job}_{task} was preempted" in out) == (how == "preempted"), out
    assert not first["reused_from"] and second["reused_from"], "a finished case is not measured twice"


def test_the_submitting_machine_and_the_controller_go_away(pupils, slurm):
    pupils.submit("anna")
    before = slurm.jobs()
    slurm.set_nodes("drain")
    try:
        first = pupils.start("--executor", "slurm")
        slurm.wait_for(lambda: len(slurm.jobs() - before) == 1)
        second = pupils.grade("--executor", "slurm")
        assert second.code == 3 and second.err.startswith(f"harness: {pupils.home.parent} is in use by another run (pid {first.process.pid}, since "), second.err
        slurm.wait_for(lambda: "submitted job" in first.out)
        first.process.kill()
        first.finish()
        refused = pupils.grade()
        assert refused.err == f"harness: {pupils.home}: jobs of an earlier command may still run; add --executor to go on with them, or remove this folder\n"
        stopped = pupils.start("--executor", "slurm")
        slurm.wait_for(lambda: "found 1 task of an earlier command" in stopped.out)
        stopped.process.send_signal(signal.SIGINT)
        code, out = stopped.finish()
        assert code == 130 and out.endswith("\nfinished runs are kept, and jobs of a cluster go on; run the same command again to collect them\n"), out
        third = pupils.start("--executor", "slurm")
        slurm.wait_for(lambda: "found 1 task of an earlier command" in third.out)
        slurm.end("slurmctld")
        slurm.wait_for(lambda: "; still trying\n" in third.out)
        slurm.daemon("slurmctld", "-D")
        slurm.wait_for(lambda: set(slurm.states().values()) == {"drained"})
    finally:
        slurm.bring_back()
    code, out = third.finish()
    assert code == 0 and "submitted" not in out, out
    assert len(slurm.jobs() - before) == 1 and len(pupils.lab.results.states()) == 1, "nothing is run twice"
    assert pupils.students()["anna"]["status"] == "GRADED"


def test_the_commands_of_the_page(pupils):
    """Each command of docs/cluster.md is accepted, with --dry-run; the YAML of the page gives the options that it shows."""
    page = (ROOT / "docs/cluster.md").read_text()
    commands = re.findall(r"^\$ bin/harness grade configs/mine.yaml submissions (.*)$", page, re.M)
    assert len(commands) == 4
    block = re.search(r"^```yaml\n(executor:.*?)^```", page, re.M | re.S)[1]
    pupils.submit("anna").lab.write()
    config = pupils.folder / "page.yaml"
    config.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in json.loads(pupils.lab.file.read_text()).items()) + block)
    for words in commands:
        ran = pupils.lab.harness("grade", config, pupils.folder / "submissions", "--results", pupils.lab.results.folder,
                                 *words.replace("--dry-run", "").split(), "--dry-run")
        assert ran.code == 0 and '#SBATCH --time="0-00:30:00"' in ran.out and "#SBATCH --exclusive\n" in ran.out, ran.err
    for words in re.findall(r"^\$ bin/harness run (.*)$", page, re.M):
        ran = pupils.lab.harness("run", *words.split(), "--dry-run", "--results", pupils.lab.results.folder)
        assert ran.code == 0 and '#SBATCH --gres="gpu:1"' in ran.out, ran.err


def test_a_run_as_a_job(lab, slurm):
    """Its results are those of a run here: run.json, `latest`, the store, the exit code."""
    work = lab(baseline="cpu_baseline").variant("cpu_mine", WRONG).sweep("cpu_mine", "cpu_baseline", size=[16, 40])
    jobs = slurm.jobs()
    script = work.run("--executor", "slurm", "--partition", "short", "--dry-run")
    assert script.code == 0 and '#SBATCH --array="0-0"\n' in script.out and '#SBATCH --partition="short"\n' in script.out and slurm.jobs() == jobs
    ran = work.run("--executor", "slurm", "--partition", "short").expect(code=1, cpu_mine="WRONG", cpu_baseline="PASSED")
    run = work.results.folder / "small" / ran.document["run"]["id"]
    assert ran.out.splitlines()[-1] == f"run: {run}" and "submitted job" in ran.out and "\n[1/1] " in ran.out, ran.out
    assert (work.results.folder / "small/latest").resolve() == run
    assert work.results.states() == {run.name: "complete"} and len(slurm.jobs() - jobs) == 1
    assert not list(work.results.folder.glob("small/jobs/*/shards"))
    wrong = work.run("--executor", "slurm", "--set", "size=1y")
    assert wrong.code == 2 and "submitted" not in wrong.out and not list(work.results.folder.glob("small/jobs/*/shards")), wrong.err
    both = work.run("--executor", "slurm", "--json")
    assert both.err == "harness: --json shows what happens in this process, and --executor runs it elsewhere: leave out one of the two\n"


def test_a_job_per_sweep(lab, slurm):
    """One command: two nodes at the same time, two runs with their reports, one store. A sweep whose job dies costs only its own run."""
    work = lab(resources={"case_time": "10m"}).variant("cpu_mine", ENDLESS).sweep("cpu_mine", name="small", size=[16])
    work.sweep("cpu_baseline", "cpu_mine", name="large", size=[24])
    command = [*work.words(report=True), "--executor", "slurm", "--job-per-sweep"]
    assert '#SBATCH --array="0-1"\n' in work.harness(*command, "--dry-run").out
    before = slurm.jobs()
    ran = work.harness(*command)
    assert ran.code == 0 and ran.out.count("submitted job") == 1 and "\n[2/2] " in ran.out, ran.out + ran.err
    tasks = [task for task in slurm.tasks("COMPLETED") if task[0] not in before]
    assert sorted(node for _, _, node in tasks) == list(NODES)
    folders = [Path(line.removeprefix("run: ")) for line in ran.out.splitlines() if line.startswith("run: ")]
    documents = [json.loads((folder / "run.json").read_text()) for folder in folders]
    assert [{case["sweep"] for case in document["cases"]} for document in documents] == [{"small"}, {"large"}]
    assert [document["run"]["command"][-2:] for document in documents] == [["--sweep", "small"], ["--sweep", "large"]]
    assert all((folder / "report.html").exists() for folder in folders)

    work.keys["sweeps"][0]["axes"] = {"size": [16, 40]}  # endless
    watched = Watched(work.harness.start(*work.words(), "--executor", "slurm", "--job-per-sweep"))
    try:
        job, = slurm.wait_for(lambda: [job for job, task, _ in slurm.tasks("RUNNING") if task == "0"])
        slurm.ask("scancel", f"{job}_0")
        code, out = watched.finish()
    finally:
        watched.process.kill()
    assert code == 3 and re.search(r'sweep "small": job \d+_0 was cancelled; .*; --sweep small runs it again\n', out), out
    assert list(work.results.states().values()) == ["complete"] * 3
    refused = work.run("--job-per-sweep")
    assert (refused.code, refused.err) == (2, "harness: --job-per-sweep makes a run of each sweep: it needs --executor, and cannot give --points\n")
