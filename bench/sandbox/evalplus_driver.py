"""
Runs EvalPlus's own way through the programs that it is given: its checker, its process pool, its data. One JSON request a line on standard input, one answer
a line on standard output; both datasets are read when they are first asked for.
{"measure": "mbpp", "tasks": [ids], "copies": n, "workers": n, "baseOnly": bool} gives {"seconds": s, "passed": n} for the references, timed from the pool's start to the
last result. {"judge": [[dataset, task, source], ...], "workers": n, "minSeconds": s} gives {"verdicts": [[base, cases, plus, cases], ...]}: a status each, and the number of
cases up to the first that failed.
"""
import functools
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

answers = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)

from evalplus.data import get_human_eval_plus, get_human_eval_plus_hash, get_mbpp_plus, get_mbpp_plus_hash  # noqa: E402
from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS  # noqa: E402
from evalplus.evaluate import check_correctness, get_groundtruth  # noqa: E402


@functools.cache
def dataset(name):
    """Problems and what their references give."""
    if name == 'mbpp':
        problems = get_mbpp_plus()
        return problems, get_groundtruth(problems, get_mbpp_plus_hash(), MBPP_OUTPUT_NOT_NONE_TASKS)
    problems = get_human_eval_plus()
    return problems, get_groundtruth(problems, get_human_eval_plus_hash(), [])


def submit(executor, name, task, copy, source, base_only, min_seconds):
    problems, expected = dataset(name)
    return executor.submit(check_correctness, name, copy, problems[task], source, expected[task], base_only, True, f'{task}/{copy}', min_seconds, 4.0)


def measure(request):
    name, base_only = request['measure'], request['baseOnly']
    problems, _ = dataset(name)
    began = time.perf_counter()
    passed = 0
    with ProcessPoolExecutor(max_workers=request['workers']) as executor:
        futures = [
            submit(executor, name, task, copy, problems[task]['prompt'] + problems[task]['canonical_solution'], base_only, 1.0)
            for task in request['tasks'] for copy in range(request['copies'])
        ]
        for future in as_completed(futures):
            result = future.result()
            passed += result['base'][0] == 'pass' and (base_only or result['plus'][0] == 'pass')
    return {'seconds': time.perf_counter() - began, 'passed': passed}


def judge(request):
    for name, _, _ in request['judge']:
        dataset(name)
    with ProcessPoolExecutor(max_workers=request['workers']) as executor:
        futures = [
            submit(executor, name, task, copy, source, False, request['minSeconds']) for copy, (name, task, source) in enumerate(request['judge'])
        ]
        results = [future.result() for future in futures]
    return {'verdicts': [[*verdict(result['base']), *verdict(result['plus'])] for result in results]}


def verdict(status_and_details):
    status, details = status_and_details
    return status, len(details)


print('{}', file=answers, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(measure(request) if 'measure' in request else judge(request)), file=answers, flush=True)
