"""A binding on PostgreSQL against pgbench -M prepared with the same statement, one row by key, 8 connections."""

import os
import subprocess
import sys
import tempfile

from server_pairs import SECONDS, host_reads, pairs, run, service, tool, value

RECORDS = int(os.environ.get("RECORDS", "100000"))


def compare(binding, properties, table, statement):
    """`statement` reads the record whose key is `$key`."""
    facts = service("postgresql")
    base = ["-P", "workloads/workloadc", "-p", "insertorder=ordered", "-p", "zeropadding=12"]
    base += ["-p", f"recordcount={RECORDS}", "-p", "requestdistribution=uniform"]
    for name, fact in properties.items():
        base += ["-p", f"{name}={facts[fact]}"]
    report, *_ = run("load", binding, *base, "-p", "dropdata=true", "-p", "batchsize=100", "-threads", "8")
    rate = value(report, "OVERALL", "Throughput(ops/sec)")
    print(f"{binding}, load of {RECORDS} x 10 x 100 B, 8 clients, batchsize=100: {rate:,.0f} records/s")
    found = subprocess.run(["pgbench", "--version"], capture_output=True)
    if found.returncode != 0:
        sys.exit("bench: pgbench is missing; install it first (Debian's package postgresql)")
    os.environ["PGPASSWORD"] = facts["PASSWORD"]
    server = ["-h", facts["HOST"], "-p", facts["PORT"], "-U", facts["USERNAME"]]
    vacuum = ["psql", "-q", *server, "-d", facts["DATABASE"], "-c", f"VACUUM ANALYZE {table}"]
    subprocess.run(vacuum, check=True)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        # Its variables are numbers, so the server puts the prefix in front: well below a microsecond.
        script.write(f"\\set number random(0, {RECORDS - 1})\n")
        script.write(statement.replace("$key", "'user' || lpad(:number::text, 12, '0')") + ";\n")
        script.flush()

        def pgbench():
            out, cpu_s = tool(
                "pgbench", *server, "-n", "-M", "prepared", "-c", "8", "-j", "2", "-T", str(SECONDS),
                "-f", script.name, facts["DATABASE"],
            )
            lines = out.splitlines()
            tps = next(float(line.split()[2]) for line in lines if line.startswith("tps = "))
            count = next(line.split(":")[1] for line in lines if line.startswith("number of transactions actually"))
            return tps, 1e6 * cpu_s / int(count.split("/")[0])

        title = f"{binding}, reads of 1 kB, 8 connections, against pgbench -M prepared"
        pairs(title, pgbench, lambda: host_reads(binding, *base, "-threads", "8"))
    print(f"{binding}, peak memory at 50 connections: {host_reads(binding, *base, '-threads', '50')[2]:.1f} MB")
