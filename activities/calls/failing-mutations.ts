/** Mutations of a reference that were run and failed: the wrong answers of a simulated model. */
import { languages } from '../../domain/languages/index.ts';
import { seedOf } from '../../domain/random.ts';
import type { Task } from '../../schemas/task.ts';
import { mutantsOf } from '../../simulator/mutations.ts';
import { limitsFor } from '../judging/execution-key.ts';
import { runAndJudge } from '../judging/judge-lane.ts';
import { type Bench, establishReference } from '../judging/references.ts';
import { expectedOutputs } from '../judging/suite-cases.ts';

/** Per task: enough for varied wrong answers, few enough for a quick start. */
const mutationsKept = 3;

/** Sources of at most three failing mutations, cached on this machine; none if there is no reference in Python. */
export async function failingMutations(bench: Bench, task: Task): Promise<string[]> {
  const name = `failing-mutations/${bench.box.imageDigest}/${task.recordSha256}`;
  const known = await bench.cache.getFact(name);
  if (known !== undefined) return JSON.parse(known) as string[];
  const failing: string[] = [];
  if (task.reference === '' || languages[task.language].isScript) return failing;
  for (const source of mutantsOf(task.reference, task.entryPoint, seedOf('mutations', task.taskId))) {
    if (failing.length === mutationsKept) break;
    if (await fails(bench, task, source)) failing.push(source);
  }
  await bench.cache.putFact(name, JSON.stringify(failing));
  return failing;
}

async function fails(bench: Bench, task: Task, source: string): Promise<boolean> {
  for (const suite of task.suites) {
    const reference = await establishReference(bench, task, suite);
    const toJudge = { box: bench.box, task, suite, source, limits: limitsFor(reference, suite), signal: bench.signal };
    const { outcome } = (await runAndJudge(toJudge, expectedOutputs(suite, reference))).verdict;
    // Only quick and certain failures: a time limit could have another result on another machine.
    if (outcome === 'wrong_output' || outcome === 'exception' || outcome === 'syntax_error') return true;
    if (outcome !== 'pass') return false;
  }
  return false;
}
