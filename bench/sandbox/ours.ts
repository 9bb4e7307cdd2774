/** Our own rates: references judged through one lane, comparison included. No two programs have the same text. */
import { limitsFor } from '../../activities/execution-key.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Task } from '../../schemas/task.ts';
import type { Limits } from '../../schemas/program.ts';
import { judge } from '../judging/judge.ts';
import { type Subject, subjectsOf } from '../judging/subjects.ts';
import type { Contender } from './turns.ts';

/** References that take longer say how fast Python is, not how fast a sandbox is. */
export const lightMs = 20;

/** Tasks whose references pass all suites, quickly. */
export async function lightTasks(box: Sandbox, tasks: readonly Task[], count: number): Promise<Task[]> {
  const subjects = Map.groupBy(await subjectsOf(box, tasks), ({ task }) => task);
  const isLight = ({ reference: { outcome, caseMs } }: Subject): boolean =>
    outcome === 'pass' && caseMs.reduce((sum, ms) => sum + ms, 0) < lightMs;
  return tasks.filter((task) => subjects.get(task)?.every(isLight)).slice(0, count);
}

interface OursOptions {
  /** Programs per task; more than one go through the batch lane. */
  readonly copies: number;
  /** All suites of a task when absent. */
  readonly suites?: readonly string[];
  /** One program in so many never ends. */
  readonly loopEvery?: number;
  readonly limits?: Limits;
}

export async function ours(name: string, box: Sandbox, tasks: readonly Task[], options: OursOptions): Promise<Contender> {
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

const endless = ({ entryPoint }: Task, source: string): string => `${source}def ${entryPoint}(*given):\n    while True: pass\n`;
