"""Many clients of the service at the same time: every answer is compared with the library's.

    python -m benchmarks.load_service POSITIONS.jsonl [--clients 50] [--seconds 300]

Starts ``trackage serve`` on 127.0.0.1 for itself. Prints calls, wrong answers, errors, percentiles of the time of a
call and the memory that the service and its workers took; the exit status is 1 where an answer was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2 as httpx

from records.positions import from_json
from routing.solve import solve
from service.questions import edition_of
from tests.service.serving import Process
from titles.registry import get_title


def expected(positions: list[dict[str, Any]]) -> list[int]:
    """What the library answers."""
    found = []
    for value in positions:
        position = from_json(value, edition_of).position
        found.append(solve(get_title(position.edition.title).problem(position)).revenue)
    return found


def memory_of(pid: int) -> int:
    """Resident memory of a process and its children, in MiB."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if int(told["Pid"]) == pid or int(told["PPid"]) == pid:
            total += int(told.get("VmRSS", "0 kB").split()[0])
    return total >> 10


async def load(
    service: Process, positions: list[dict[str, Any]], answers: list[int], *, number: int, seconds: float
) -> bool:
    """Run the clients; returns whether every answer was right."""
    times: list[float] = []
    outcomes: Counter[str] = Counter()
    memory: list[int] = []
    end = time.monotonic() + seconds

    async def client(seed: int) -> None:
        draw = random.Random(seed)
        async with httpx.AsyncClient(timeout=60) as session:
            while time.monotonic() < end:
                place = draw.randrange(len(positions))
                start = time.perf_counter()
                answer = await session.post(f"{service.url}api/best", json={"position": positions[place]})
                times.append(time.perf_counter() - start)
                if answer.status_code != 200:
                    outcomes[f"status {answer.status_code}"] += 1
                else:
                    outcomes["right" if answer.json()["revenue"] == answers[place] else "wrong"] += 1

    async def watch() -> None:
        while time.monotonic() < end:
            memory.append(memory_of(service.pid))
            await asyncio.sleep(2)

    await asyncio.gather(watch(), *(client(seed) for seed in range(number)))
    times.sort()
    shares = {f"p{share}": round(1000 * times[len(times) * share // 100]) for share in (50, 95, 99)}
    print(json.dumps({
        "clients": number, "seconds": seconds, "calls": len(times), "positions": len(positions), **outcomes,
        "milliseconds": shares, "memory_mib": {"first": memory[0], "last": memory[-1], "most": max(memory)},
    }))  # fmt: skip
    return not outcomes["wrong"]


def main() -> None:
    """Read the call and run."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("positions", type=Path, nargs="+")
    reader.add_argument("--clients", type=int, default=50)
    reader.add_argument("--seconds", type=float, default=300)
    reader.add_argument("--most", type=int, default=200, help="positions that are asked, spread over the files")
    call = reader.parse_args()
    lines = [line for path in call.positions for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    positions = [json.loads(line) for line in lines[:: max(1, len(lines) // call.most)]]
    answers = expected(positions)
    with tempfile.TemporaryDirectory() as folder, Process(Path(folder)) as service:
        right = asyncio.run(load(service, positions, answers, number=call.clients, seconds=call.seconds))
    raise SystemExit(not right)


if __name__ == "__main__":
    main()
