"""A real Slurm on this machine: munged, slurmctld and two slurmd in a folder of their own, with their own key and free ports."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from pathlib import Path

NODES = ("n1", "n2")
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
PropagateResourceLimits=NONE
ReturnToService=2
SlurmdTimeout=300
KillWait=2
MessageTimeout=10
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
{nodes}
PartitionName=small Nodes=n1,n2 Default=YES MaxTime=60 State=UP
PartitionName=short Nodes=n1 MaxTime=10 State=UP
PartitionName=urgent Nodes=n1 MaxTime=10 PriorityTier=9 State=UP
"""


def program(name):
    """Daemons are in /usr/sbin, which the PATH of an ordinary user lacks."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self, folder):
        self.folder, self.running, self.logs = Path(folder), {}, 0
        self.config = self.folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.config)}

    @staticmethod
    def missing():
        return [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not program(name)]

    def start(self):
        """False if a daemon ended: somebody else may have taken a port meanwhile."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "state").mkdir(parents=True)
        (self.folder / "key").write_bytes(os.urandom(128))
        (self.folder / "key").chmod(0o400)
        host, (port, *ports) = socket.gethostname(), free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={one} CPUs=1 State=UNKNOWN"
                          for name, one in zip(NODES, ports))
        self.config.write_text(CONFIG.format(folder=self.folder, host=host, port=port, user=pwd.getpwuid(os.geteuid()).pw_name, nodes=nodes))
        (self.folder / "cgroup.conf").write_text("")
        own = {name: self.folder / f"munge.{name}" for name in ("socket", "log", "pid", "seed")}
        self.daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/key", f"--socket={own['socket']}",
                    f"--log-file={own['log']}", f"--pid-file={own['pid']}", f"--seed-file={own['seed']}")
        self.wait_for(lambda: own["socket"].exists() or not self.alive())
        self.daemon("slurmctld", "-D")
        for node in NODES:
            self.daemon("slurmd", "-D", "-N", node)
        self.wait_for(lambda: self.states() == {name: "idle" for name in NODES} or not self.alive())
        return self.alive()

    def alive(self):
        return all(process.poll() is None for process in self.running.values())

    def daemon(self, name, *words):
        self.logs += 1
        with (self.folder / f"{self.logs}-{name}.log").open("w") as log:
            self.running[name, *words] = subprocess.Popen([program(name), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                          env=self.environment, start_new_session=True)

    def end(self, name):
        for key in [key for key in self.running if key[0] == name]:
            process = self.running.pop(key)
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def stop(self):
        if self.alive():
            self.ask("scancel", "--me")  # jobs would outlive the daemons
            self.wait_for(lambda: not self.alive() or not self.ask("squeue", "--noheader"))
        for name in ("slurmd", "slurmctld", "munged"):
            self.end(name)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, text=True, capture_output=True).stdout

    def states(self):
        return dict(line.split("|") for line in self.ask("sinfo", "--noheader", "--Node", "--partition=small", "--format=%N|%T").splitlines())

    def tasks(self, state):
        """(job, task, node) of all tasks in this state."""
        rows = self.ask("squeue", "--noheader", "--array", "--states=all", "--format=%F|%K|%N|%T").splitlines()
        return [tuple(row.split("|")[:3]) for row in rows if row.endswith(f"|{state}")]

    def jobs(self):
        return {row for row in self.ask("squeue", "--noheader", "--array", "--states=all", "--format=%F").split()}

    def set_nodes(self, state, nodes=NODES):
        answer = subprocess.run(["scontrol", "update", f"NodeName={','.join(nodes)}", f"State={state}", "Reason=test"], env=self.environment,
                                text=True, capture_output=True)
        assert answer.returncode == 0, answer.stderr

    def bring_back(self):
        """All nodes become usable again; a node that was down may do so by itself."""
        def usable():
            if not set(self.states().values()) & {"down", "down*", "drained", "draining", "drained*"}:
                return True
            subprocess.run(["scontrol", "update", f"NodeName={','.join(NODES)}", "State=resume"], env=self.environment, capture_output=True)
            return False

        self.wait_for(usable)

    def wait_for(self, condition, limit_s=120):
        """A generous limit: a busy machine is no failure."""
        end = time.monotonic() + limit_s
        while not (found := condition()):
            assert time.monotonic() < end, self.story()
            time.sleep(0.05)
        return found

    def story(self):
        logs = "".join(f"{log.name}:\n{log.read_text()[-2000:]}\n" for log in sorted(self.folder.glob("*.log")))
        return f"{self.ask('sinfo', '-N', '-l')}{self.ask('squeue', '-a', '-r', '-t', 'all')}{logs}"
