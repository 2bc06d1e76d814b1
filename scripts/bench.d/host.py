"""Benchmarks of the host: noop (the host itself, through a real plugin), pacing, redb.

Every figure is the median of several runs, with the smallest and the largest beside it. "wall" figures come
from the clock of the whole process, start and report included; the others from the report.
"""

import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["YCSB_HOST_PROGRAM"]
RUNS = int(os.environ.get("RUNS", "7"))


def peak_mb_so_far(process_id):
    """The largest resident memory of a process up to now, in MB; 0 once it has ended."""
    try:
        with open(f"/proc/{process_id}/status") as status:
            found = re.search(r"^VmHWM:\s*(\d+) kB", status.read(), re.M)
    except OSError:
        return 0.0
    return int(found.group(1)) / 1024 if found else 0.0


def run(*arguments):
    """One run: its report, wall seconds, CPU seconds and peak memory in MB.

    The peak is read from the living process 20 times a second: the figure that the system keeps for a child that
    has ended starts at the memory of the process that started it, which here is Python with its 15 MB.
    """
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as out_file, tempfile.TemporaryFile("w+") as err_file:
        process = subprocess.Popen([PROGRAM, *arguments], stdout=out_file, stderr=err_file)
        end_of_process = os.pidfd_open(process.pid)
        peak_mb = 0.0
        while not select.select([end_of_process], [], [], 0.05)[0]:
            peak_mb = max(peak_mb, peak_mb_so_far(process.pid))
        os.close(end_of_process)
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - began
        out_file.seek(0)
        err_file.seek(0)
        out, err = out_file.read(), err_file.read()
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"bench: {' '.join(arguments)} failed:\n{err}")
    process.returncode = 0
    return out, wall_s, usage.ru_utime + usage.ru_stime, peak_mb


def value(report, metric, measurement):
    found = re.search(rf"^\[{re.escape(metric)}\], {re.escape(measurement)}, (.*)$", report, re.M)
    return float(found.group(1)) if found else float("nan")


def spread(values, digits=1):
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def operations_case(title, operations, threads, *arguments):
    """Cost per operation is processor-wise: time x busy threads / operations, where clients that share threads
    keep at most every processor busy."""
    rates, ns, wall_ns, memory = [], [], [], []
    busy = min(threads, os.cpu_count())
    for _ in range(RUNS):
        report, wall_s, _, peak_mb = run(*arguments, "-threads", str(threads))
        rate = value(report, "OVERALL", "Throughput(ops/sec)")
        rates.append(rate)
        ns.append(1e9 * busy / rate)
        wall_ns.append(1e9 * wall_s * busy / operations)
        memory.append(peak_mb)
    print(
        f"{title}: {spread(ns)} ns/op, {spread(rates, 0)} ops/s, wall {spread(wall_ns)} ns/op, "
        f"peak {spread(memory)} MB"
    )
    return statistics.median(rates)


def noop():
    ops = int(os.environ.get("OPERATIONS", "10000000"))
    small = ["-P", "workloads/workloadc", "-p", f"operationcount={ops}"]
    one = operations_case("noop, workload C, 1 thread", ops, 1, "run", "noop", *small)
    two = operations_case("noop, workload C, 2 threads", ops, 2, "run", "noop", *small)
    print(f"two threads against one: {two / one:.2f} times the rate")
    mixed = ["-P", "workloads/workloada", "-p", f"operationcount={ops}"]
    operations_case("noop, workload A, 1 thread", ops, 1, "run", "noop", *mixed)
    records = ops // 5
    load = ["-P", "workloads/workloada", "-p", f"recordcount={records}"]
    operations_case("noop, load of 10 x 100 B, 1 thread", records, 1, "load", "noop", *load)
    few = operations_case("noop-async, workload C, 16 clients", ops, 16, "run", "noop-async", *small)
    many = operations_case("noop-async, workload C, 1000 clients", ops, 1000, "run", "noop-async", *small)
    print(f"1000 async clients against 16: {few / many:.2f} times the cost of an operation")
    starts = [1e3 * run("run", "noop", "-P", "workloads/workloada", "-p", "operationcount=1")[1] for _ in range(3 * RUNS)]
    print(f"start, one operation, report: {spread(starts)} ms")
    billion = ["-P", "workloads/workloada", "-p", "recordcount=1000000000", "-p", "operationcount=1"]
    starts = [1e3 * run("run", "noop", *billion)[1] for _ in range(RUNS)]
    print(f"the same with a billion records: {spread(starts)} ms")


def pacing():
    seconds = 5
    for rate, threads in [(1_000, 4), (100_000, 2), (100_000, 8)]:
        for arrival in ["client", "shared"]:
            p50, p99, late = [], [], []
            for _ in range(RUNS):
                report, _, cpu_s, _ = run(
                    "run", "noop", "-P", "workloads/workloadc", "-p", "operationcount=0",
                    "-p", f"maxexecutiontime={seconds}", "-target", str(rate), "-threads", str(threads),
                    "-p", f"arrival={arrival}", "-p", "measurement.interval=intended",
                    "-p", "hdrhistogram.percentiles=50,99",
                )
                p50.append(value(report, "READ", "50thPercentileLatency(us)"))
                p99.append(value(report, "READ", "99thPercentileLatency(us)"))
                late.append(cpu_s / seconds)
            print(
                f"pacing, {rate:,}/s, {threads} clients, arrival={arrival}: response p50 {spread(p50, 0)} us, "
                f"p99 {spread(p99, 0)} us, {spread(late, 2)} processors busy"
            )


def redb():
    records = int(os.environ.get("RECORDS", "1000000"))
    operations = int(os.environ.get("OPERATIONS", "1000000"))
    with tempfile.TemporaryDirectory() as folder:
        path = f"redb.path={folder}/usertable.redb"
        base = ["-p", path, "-p", f"recordcount={records}", "-p", f"operationcount={operations}"]
        for batch in [1, 100]:
            report, wall_s, _, peak_mb = run(
                "load", "redb", "-P", "workloads/workloada", *base, "-threads", "2",
                "-p", "dropdata=true", "-p", f"batchsize={batch}",
            )
            rate = value(report, "OVERALL", "Throughput(ops/sec)")
            print(f"redb, load of {records:,} x 10 x 100 B, 2 threads, batchsize={batch}: {rate:,.0f} records/s, peak {peak_mb:.0f} MB, wall {wall_s:.1f} s")
        for workload in "abce":
            count = operations if workload != "e" else operations // 10
            rates, memory = [], []
            for _ in range(RUNS if workload != "e" else 1):
                report, _, _, peak_mb = run(
                    "run", "redb", "-P", f"workloads/workload{workload}", *base,
                    "-p", f"operationcount={count}", "-threads", "2",
                )
                rates.append(value(report, "OVERALL", "Throughput(ops/sec)"))
                memory.append(peak_mb)
            print(f"redb, workload {workload}, 2 threads: {spread(rates, 0)} ops/s, peak {spread(memory)} MB")


if __name__ == "__main__":
    {"noop": noop, "pacing": pacing, "redb": redb}[sys.argv[1]]()
