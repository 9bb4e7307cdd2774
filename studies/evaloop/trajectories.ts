/** EVALOOP's recorded trajectories as lines of a replay file, with the results of the authors' own tests. */
import type { z } from 'zod';
import { InputError } from '../../domain/errors.ts';
import { parseJsonDocument } from '../../domain/json-document.ts';
import { type Trajectories, trajectoriesSchema } from '../../schemas/trajectory.ts';
import { assertLine } from './prompts.ts';

export interface RecordedTask {
  /** Canonical: `MBPP/2`. */
  readonly taskId: string;
  /** Number of loops that it sustained, as recorded. */
  readonly sustained: number;
  /** Replies by loop, from 1. */
  readonly lines: readonly RecordedReply[];
}

/** A line of a replay file. */
interface RecordedReply {
  readonly task_id: string;
  readonly step: 'generate' | 'summarize';
  readonly loop: number;
  readonly reply: string;
  /** The authors recorded the text that they extracted from the reply. */
  readonly extracted?: true;
}

/** The tasks in a file's text. Throws InputError with only the first fault: a file of another kind has hundreds. */
export function parseTrajectories(text: string, file: string): RecordedTask[] {
  if (isJsonLines(text)) throw new InputError(`not a trajectory file but JSON lines: ${linesAdvice}`, { file });
  const checked = trajectoriesSchema.safeParse(parseJsonDocument(text, file));
  if (!checked.success) throw otherForm(checked.error, file);
  try {
    return recordedTasks(checked.data);
  } catch (error) {
    throw new InputError(`not a trajectory file: ${(error as Error).message}`, { file });
  }
}

/** Whether the text has several lines, of which the first is a whole document. */
function isJsonLines(text: string): boolean {
  const [first = '', ...others] = text.trimEnd().split('\n', 2);
  if (others.length === 0) return false;
  try {
    JSON.parse(first);
    return true;
  } catch {
    return false;
  }
}

const linesAdvice =
  'samples with a completion or solution need --format samples; a replay file is named by a model of a spec as it is';

const form =
  'it maps each number of sustained loops to a list of { task_id, cycles: [{ code_output, summary_output }] }';

function otherForm({ issues: [first] }: z.ZodError, file: string): InputError {
  const field = first?.path.map(String).join('.') ?? '';
  const rule = `not a trajectory file: ${first?.message ?? 'unexpected structure'}; ${form}`;
  return new InputError(rule, { file, ...(field !== '' && { field }) });
}

/**
 * All tasks of a file, in the order of their ids. An empty reply is added after each recording: a task that failed
 * there but passes here then ends with that reply, instead of a call without an answer. Throws an Error with the rule
 * for a group without a number, a duplicate task, a task whose loops contradict its group, and a file without tasks.
 */
export function recordedTasks(trajectories: Trajectories): RecordedTask[] {
  const tasks = Object.entries(trajectories).flatMap(([group, members]) => {
    const sustained = sustainedIn(group);
    return members.map((member) => recordedTask(canonicalId(member.task_id), sustained, member));
  });
  const seen = new Set<string>();
  for (const { taskId } of tasks) {
    if (seen.has(taskId)) throw new Error(`duplicate task ${taskId}; a trajectory file must hold every task once`);
    seen.add(taskId);
  }
  if (tasks.length === 0) throw new Error('it holds no tasks');
  return tasks.toSorted((a, b) => naturalOrder.compare(a.taskId, b.taskId));
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

function sustainedIn(group: string): number {
  const digits = /\d+/.exec(group)?.[0];
  if (digits === undefined)
    throw new Error(`group "${group}" has no number; a group's name must be the number of loops its tasks sustained`);
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
    throw new Error(
      `task ${taskId} is in the group of ${sustained} sustained loops, but its successful_cycles is ${counted}`,
    );
  if (cycles.length < sustained)
    throw new Error(
      `task ${taskId} is in the group of ${sustained} sustained loops, but only ${cycles.length} are recorded`,
    );
  const lines = cycles.flatMap(({ code_output: code, summary_output: summary }, index): RecordedReply[] => [
    { task_id: taskId, step: 'generate', loop: index + 1, reply: code ?? '', extracted: true },
    { task_id: taskId, step: 'summarize', loop: index + 1, reply: ownWords(summary ?? '', prompt), extracted: true },
  ]);
  return {
    taskId,
    sustained,
    lines: [...lines, { task_id: taskId, step: 'generate', loop: cycles.length + 1, reply: '' }],
  };
}

/**
 * Extracts the model's summary from the authors' record, which holds the whole next prompt: the summary in docstring
 * quotes, above the prompt's assert line. If the summary is empty, the whole record is kept, because the authors
 * continued with the assert line and their programs are to be judged.
 */
function ownWords(summary: string, prompt: string): string {
  const lines = summary.trim().split('\n');
  if (lines.length < 4 || lines[0] !== '"""' || lines.at(-1) !== '"""' || lines.at(-2) !== assertLine(prompt))
    return summary;
  return lines.slice(1, -2).join('\n').trim() || summary;
}
