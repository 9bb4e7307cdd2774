/** evenkeel's rates: references judged in one lane, comparison included. All programs have different texts. */
import { limitsFor } from '../../activities/judging/execution-key.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Task } from '../../schemas/task.ts';
import type { Limits } from '../../schemas/program.ts';
import { judge } from '../judging/judge.ts';
import { type Subject, subjectsOf } from '../judging/subjects.ts';
import type { Contender } from './turns.ts';

/** The time of slower references depends on the speed of Python, not of the sandbox. */
export const lightMs = 20;

/** Tasks whose references pass all suites within that time. */
export async function lightTasks(box: Sandbox, tasks: readonly Task[], count: number): Promise<Task[]> {
  const subjects = Map.groupBy(await subjectsOf(box, tasks), ({ task }) => task);
  const isLight = ({ reference: { outcome, caseMs } }: Subject): boolean =>
    outcome === 'pass' && caseMs.reduce((sum, ms) => sum + ms, 0) < lightMs;
  return tasks.filter((task) => subjects.get(task)?.every(isLight)).slice(0, count);
}

interface OursOptions {
  /** Programs per task; several are run in the batch lane. */
  readonly copies: number;
  /** Default: all suites of a task. */
  readonly suites?: readonly string[];
  /** One program in this many never ends. */
  readonly loopEvery?: number;
  readonly limits?: Limits;
}

export async function ours(
  name: string,
  box: Sandbox,
  tasks: readonly Task[],
  options: OursOptions,
): Promise<Contender> {
  const subjects = [...Map.groupBy(await subjectsOf(box, tasks, options.suites), ({ task }) => task).values()];
  return { name, measure: (round) => measure(name, box, subjects, options, round) };
}

async function measure(
  name: string,
  box: Sandbox,
  tasks: readonly (readonly Subject[])[],
  { copies, loopEvery, limits }: OursOptions,
  round: number,
): Promise<number> {
  const isLoop = (index: number): boolean => loopEvery !== undefined && index % loopEvery === loopEvery - 1;
  const judgeOne = async (subjects: readonly Subject[], index: number): Promise<boolean> => {
    const verdicts = subjects.map(async (subject) => {
      const source = `${subject.task.reference}\n# ${name} ${round} ${index}\n`;
      const allowed = limits ?? limitsFor(subject.reference, subject.suite);
      const { outcome } = await judge(box, subject, isLoop(index) ? endless(subject.task, source) : source, allowed);
      return outcome === (isLoop(index) ? 'cpu_timeout' : 'pass');
    });
    return (await Promise.all(verdicts)).every(Boolean);
  };
  const began = performance.now();
  const asked = Array.from({ length: copies }, () => tasks).flat();
  const right = (await Promise.all(asked.map(judgeOne))).filter(Boolean).length;
  if (right < asked.length) throw new Error(`${name}: ${asked.length - right} of ${asked.length} verdicts are wrong`);
  return (asked.length / (performance.now() - began)) * 1000;
}

const endless = ({ entryPoint }: Task, source: string): string =>
  `${source}def ${entryPoint}(*given):\n    while True: pass\n`;
