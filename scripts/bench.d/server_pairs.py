"""What comparisons with a reference tool share: interleaved pairs on one server, ratios and their spread."""

import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from host import RUNS, run, spread, value  # noqa: E402

SECONDS = int(os.environ.get("SECONDS_PER_RUN", "10"))


def parts(known):
    """The parts named on the command line, or all."""
    named = sys.argv[1:] or known
    for part in named:
        if part not in known:
            sys.exit(f'bench: unknown part "{part}"; there are {", ".join(known)}')
    return named


def service(name):
    """Starts a server of scripts/services; its facts."""
    if subprocess.run(["scripts/services", "up", name], stdout=sys.stderr).returncode != 0:
        sys.exit(f"bench: {name} does not run")
    lines = subprocess.run(["scripts/services", "env", name], capture_output=True, text=True, check=True).stdout
    return {key: text.strip("'") for key, text in (line.split("=", 1) for line in lines.splitlines())}


def tool(*arguments):
    """Runs a reference tool: its output and CPU seconds."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"bench: {arguments[0]} failed")
    return out, usage.ru_utime + usage.ru_stime


def host_reads(*arguments):
    """A run of reads: operations per second, microseconds of CPU per read, peak memory in MB."""
    report, _, cpu_s, peak_mb = run("run", *arguments, "-p", "operationcount=0", "-p", f"maxexecutiontime={SECONDS}")
    rate = value(report, "OVERALL", "Throughput(ops/sec)")
    reads = value(report, "READ", "Operations")
    return rate, 1e6 * cpu_s / reads, peak_mb


def pairs(title, reference, ours):
    """Runs both in turn, RUNS times; each gives (operations per second, CPU microseconds per operation)."""
    rates, costs, both = [], [], []
    for _ in range(RUNS):
        their_rate, their_cost = reference()[:2]
        our_rate, our_cost = ours()[:2]
        rates.append(our_rate / their_rate)
        costs.append(our_cost / their_cost)
        both.append((their_rate, their_cost, our_rate, our_cost))
    columns = [spread(list(column), 1) for column in zip(*both)]
    print(f"{title}: reference {columns[0]} ops/s, {columns[1]} us CPU; ours {columns[2]} ops/s, {columns[3]} us CPU")
    print(f"{title}: {spread(rates, 2)} of its rate, {spread(costs, 2)} of its CPU per operation")
    return statistics.median(rates), statistics.median(costs)
