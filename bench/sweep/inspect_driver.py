"""Runs evaluations of Inspect AI: a line asks for a number of samples, and gets the seconds and the samples done."""

import json
import sys
import time

from inspect_ai import Task, eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


def task(count: int) -> Task:
    """One question and one answer a sample, as plain pass@1 asks."""
    samples = [Sample(input=f"Write a function that adds {number}.", target="def") for number in range(count)]
    return Task(dataset=MemoryDataset(samples), solver=[generate()], scorer=includes())


def answer(*_request) -> ModelOutput:
    """Says its usage, which Inspect would count with an encoding from the network otherwise."""
    output = ModelOutput.from_content("mockllm/model", "def add(number):\n    return number")
    output.usage = ModelUsage(input_tokens=10, output_tokens=10, total_tokens=20)
    return output


def measure(count: int) -> dict:
    start = time.perf_counter()
    (log,) = evaluate(task(count), model=get_model("mockllm/model", custom_outputs=answer), display="none")
    seconds = time.perf_counter() - start
    done = log.results.completed_samples if log.results else 0
    return {"seconds": seconds, "done": done}


answers = sys.stdout
# What it prints itself must not be taken for an answer.
sys.stdout = sys.stderr
print("{}", file=answers, flush=True)
for line in sys.stdin:
    print(json.dumps(measure(json.loads(line)["samples"])), file=answers, flush=True)
