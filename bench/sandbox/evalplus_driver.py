"""
Judges the given programs as EvalPlus itself does: with its checker, its process pool and its data. Reads one JSON
request per line from standard input and writes one answer per line; reads a dataset when it is first needed.

{"measure": "mbpp", "tasks": [ids], "copies": n, "workers": n, "baseOnly": bool} gives {"seconds": s, "passed": n} for
the references, timed from the pool's start to the last result.

{"judge": "mbpp", "programs": [[task, source], ...], "workers": n, "minSeconds": s} gives
{"verdicts": [[base, cases, plus, cases], ...]}: a status each, and the number of cases up to the first that failed.
"""
import functools
import json
import multiprocessing
import os
import pickle
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

answers = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)

from evalplus.data import get_human_eval_plus, get_human_eval_plus_hash, get_mbpp_plus, get_mbpp_plus_hash  # noqa: E402
from evalplus.data.utils import CACHE_DIR  # noqa: E402
from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS  # noqa: E402
from evalplus.evaluate import check_correctness, get_groundtruth  # noqa: E402


@functools.cache
def dataset(name):
    """Problems, and the folder of what their references give, made in a process of its own."""
    problems = get_mbpp_plus() if name == 'mbpp' else get_human_eval_plus()
    digest = get_mbpp_plus_hash() if name == 'mbpp' else get_human_eval_plus_hash()
    folder = os.path.join(CACHE_DIR, f'by-task-{digest}')
    if not os.path.exists(folder):
        not_none = MBPP_OUTPUT_NOT_NONE_TASKS if name == 'mbpp' else []
        maker = multiprocessing.Process(target=keep_by_task, args=(problems, digest, not_none, folder))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            sys.exit(f'the expected outputs of {name} could not be made')
    return problems, folder


def keep_by_task(problems, digest, not_none, folder):
    expected = get_groundtruth(problems, digest, not_none)
    part = f'{folder}.part'
    os.makedirs(part, exist_ok=True)
    for task, outputs in expected.items():
        with open(os.path.join(part, task.replace('/', '-')), 'wb') as file:
            pickle.dump(outputs, file)
    os.rename(part, folder)


def load(name, tasks):
    """For each task its problem and its expected outputs."""
    problems, folder = dataset(name)
    loaded = {}
    for task in set(tasks):
        with open(os.path.join(folder, task.replace('/', '-')), 'rb') as file:
            loaded[task] = problems[task], pickle.load(file)
    return loaded


def submit(executor, name, loaded, task, copy, source, base_only, min_seconds):
    problem, expected = loaded[task]
    place = f'{task}/{copy}'
    return executor.submit(
        check_correctness, name, copy, problem, source, expected, base_only, True, place, min_seconds, 4.0,
    )


def reference(problem):
    return problem['prompt'] + problem['canonical_solution']


def measure(request):
    name, base_only = request['measure'], request['baseOnly']
    loaded = load(name, request['tasks'])
    began = time.perf_counter()
    passed = 0
    with ProcessPoolExecutor(max_workers=request['workers']) as executor:
        futures = [
            submit(executor, name, loaded, task, copy, reference(loaded[task][0]), base_only, 1.0)
            for task in request['tasks'] for copy in range(request['copies'])
        ]
        for future in as_completed(futures):
            result = future.result()
            passed += result['base'][0] == 'pass' and (base_only or result['plus'][0] == 'pass')
    return {'seconds': time.perf_counter() - began, 'passed': passed}


def judge(request):
    name = request['judge']
    loaded = load(name, [task for task, _ in request['programs']])
    with ProcessPoolExecutor(max_workers=request['workers']) as executor:
        futures = [
            submit(executor, name, loaded, task, copy, source, False, request['minSeconds'])
            for copy, (task, source) in enumerate(request['programs'])
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
