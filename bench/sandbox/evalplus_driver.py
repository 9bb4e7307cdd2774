"""
Times EvalPlus's own way through the programs that it is given: its checker, its process pool, its data. One JSON request a line on standard input:
{"tasks": [ids], "copies": n, "workers": n, "baseOnly": bool}; one answer a line: {"seconds": s, "passed": n}. Timed from the pool's start to the last result.
"""
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

answers = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)

from evalplus.data import get_mbpp_plus, get_mbpp_plus_hash  # noqa: E402
from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS  # noqa: E402
from evalplus.evaluate import check_correctness, get_groundtruth  # noqa: E402

problems = get_mbpp_plus()
expected = get_groundtruth(problems, get_mbpp_plus_hash(), MBPP_OUTPUT_NOT_NONE_TASKS)


def measure(tasks, copies, workers, base_only):
    began = time.perf_counter()
    passed = 0
    with ProcessPoolExecutor(max_workers=workers) as executor:
        futures = [
            executor.submit(check_correctness, 'mbpp', copy, problems[task], problems[task]['prompt'] + problems[task]['canonical_solution'],
                            expected[task], base_only, True, f'{task}/{copy}', 1.0, 4.0)
            for task in tasks for copy in range(copies)
        ]
        for future in as_completed(futures):
            result = future.result()
            passed += result['base'][0] == 'pass' and (base_only or result['plus'][0] == 'pass')
    return {'seconds': time.perf_counter() - began, 'passed': passed}


print('{}', file=answers, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(measure(request['tasks'], request['copies'], request['workers'], request['baseOnly'])), file=answers, flush=True)
