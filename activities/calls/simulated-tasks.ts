/** A simulated model's knowledge of a benchmark: references, and mutations of them that failed when run. */
import { languages } from '../../domain/languages/index.ts';
import type { Task } from '../../schemas/task.ts';
import { answeringProgram } from '../../simulator/answering-program.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { mutationsPrefix } from '../storage/ledger/noted-facts.ts';

/** Name of the ledger fact that lists a task's failing mutations. */
export const failingMutationsFact = (task: Task): string => `${mutationsPrefix}${task.recordSha256}`;

/** Fails on every suite; used if no mutation of the reference failed. */
const failingProgram = ({ entryPoint, language }: Task): string => languages[language].simulated.failing(entryPoint);

export const simulatedTask = (task: Task, failing: readonly string[]): SimulatedTask => ({
  taskId: task.taskId,
  entryPoint: task.entryPoint,
  description: task.prompt,
  language: task.language,
  reference: knownSolution(task) ?? failingProgram(task),
  wrong: failing.length > 0 ? [...failing] : [failingProgram(task), ...failingBodies(task)],
});

const failingBodies = ({ language, prompt }: Task): string[] =>
  prompt.trimEnd().endsWith('{')
    ? languages[language].simulated.failingBodies.map((body) => `${prompt}\n${body}\n}\n`)
    : [];

/** For languages with such a program, the tests are a better source than the references, which are machine-made. */
const knownSolution = ({ language, entryPoint, reference, suites }: Task): string | null =>
  answeringProgram(language, entryPoint, suites[0]?.script?.cases[0] ?? '') ?? (reference || null);

export async function simulatedTasks(
  tasks: readonly Task[],
  ledger: Pick<Ledger, 'factsNamed'>,
): Promise<SimulatedTask[]> {
  const failing = await ledger.factsNamed(tasks.map(failingMutationsFact));
  return tasks.map((task) =>
    simulatedTask(task, JSON.parse(failing.get(failingMutationsFact(task)) ?? '[]') as string[]),
  );
}
