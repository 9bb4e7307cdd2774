/** EVALOOP's recorded trajectories as lines of a replay file, and what their authors' own tests made of them. */
import type { Trajectories } from '../../schemas/trajectory.ts';
import { assertLine } from './prompts.ts';

export interface RecordedTask {
  /** Canonical: `MBPP/2`. */
  readonly taskId: string;
  /** Loops that it sustained, as recorded. */
  readonly sustained: number;
  /** Replies by loop, from 1. */
  readonly lines: readonly RecordedReply[];
}

/** As a replay file has it. */
interface RecordedReply {
  readonly task_id: string;
  readonly step: 'generate' | 'summarize';
  readonly loop: number;
  readonly reply: string;
  /** The authors recorded what they took from the reply. */
  readonly extracted?: true;
}

/**
 * Every task of a file, in the order of their ids. Where a recording ends, an empty reply follows: a task that goes on here where it failed
 * there then ends with that, in place of a call that nothing answers.
 * Throws an Error with the rule for a group without a number, a task that is there twice or whose loops contradict its group, and a file without tasks.
 */
export function recordedTasks(trajectories: Trajectories): RecordedTask[] {
  const tasks = Object.entries(trajectories).flatMap(([group, members]) => {
    const sustained = sustainedIn(group);
    return members.map((member) => recordedTask(canonicalId(member.task_id), sustained, member));
  });
  const seen = new Set<string>();
  for (const { taskId } of tasks) {
    if (seen.has(taskId)) throw new Error(`task ${taskId} is there twice; a trajectory file has every task once`);
    seen.add(taskId);
  }
  if (tasks.length === 0) throw new Error('there is no task in it');
  return tasks.toSorted((a, b) => naturalOrder.compare(a.taskId, b.taskId));
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

function sustainedIn(group: string): number {
  const digits = /\d+/.exec(group)?.[0];
  if (digits === undefined)
    throw new Error(`group "${group}" holds no number; groups are named after the loops that their tasks sustained`);
  return Number(digits);
}

/** `Mbpp/2` and `2` are `MBPP/2`; any other id stays as it is. */
function canonicalId(id: string): string {
  const number = /^(?:mbpp\/)?(\d+)$/i.exec(id)?.[1];
  return number === undefined ? id : `MBPP/${number}`;
}

function recordedTask(taskId: string, sustained: number, member: Trajectories[string][number]): RecordedTask {
  const { cycles, initial_prompt: prompt = '', successful_cycles: counted = sustained } = member;
  if (counted !== sustained)
    throw new Error(`task ${taskId} is in the group of ${sustained} sustained loops, and its successful_cycles is ${counted}`);
  if (cycles.length < sustained)
    throw new Error(`task ${taskId} is in the group of ${sustained} sustained loops, and only ${cycles.length} are recorded`);
  const lines = cycles.flatMap(({ code_output: code, summary_output: summary }, index): RecordedReply[] => [
    { task_id: taskId, step: 'generate', loop: index + 1, reply: code ?? '', extracted: true },
    { task_id: taskId, step: 'summarize', loop: index + 1, reply: ownWords(summary ?? '', prompt), extracted: true },
  ]);
  return { taskId, sustained, lines: [...lines, { task_id: taskId, step: 'generate', loop: cycles.length + 1, reply: '' }] };
}

/**
 * The authors record the next prompt whole: the summary in docstring quotes, above the assert line of the prompt. The model said the
 * summary alone. Of an empty one the whole is kept: the authors went on with the assert line, and their programs are there to be judged.
 */
function ownWords(summary: string, prompt: string): string {
  const lines = summary.trim().split('\n');
  if (lines.length < 4 || lines[0] !== '"""' || lines.at(-1) !== '"""' || lines.at(-2) !== assertLine(prompt)) return summary;
  return lines.slice(1, -2).join('\n').trim() || summary;
}
