/** Tasks in evenkeel's format, so small that hundreds run in seconds, and raw replies to them. */

export interface TinyTask {
  readonly id: string;
  readonly entryPoint: string;
  readonly addend: number;
}

/** Tasks `Tiny/1` to `Tiny/<count>`: add the task's number. */
export const tinyTasks = (count: number, prefix = 'Tiny'): TinyTask[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}/${index + 1}`,
    entryPoint: `add_${index + 1}`,
    addend: index + 1,
  }));

export const benchmarkText = (tasks: readonly TinyTask[]): string =>
  tasks.map((task) => `${JSON.stringify(recordOf(task))}\n`).join('');

export const assertOf = ({ entryPoint, addend }: TinyTask): string => `assert ${entryPoint}(1) == ${addend + 1}`;

const recordOf = (task: TinyTask) => ({
  task_id: task.id,
  prompt: `"""\nWrite a python function to add ${task.addend} to the given number.\n${assertOf(task)}\n"""\n`,
  entry_point: task.entryPoint,
  reference: rightCode(task),
  suites: {
    base: { inputs: [[1], [0]], expected: [task.addend + 1, task.addend] },
    plus: { inputs: [[-1000]], expected: [task.addend - 1000] },
  },
});

export const rightCode = ({ entryPoint, addend }: TinyTask): string =>
  `def ${entryPoint}(number):\n    return number + ${addend}\n`;

/** Replies that end a task, by their outcome. */
export const badReplies = {
  wrong_output: ({ entryPoint, addend }: TinyTask) =>
    fenced(`def ${entryPoint}(number):\n    return number - ${addend}\n`),
  /** Right on suite base, wrong on plus. */
  wrong_on_plus: ({ entryPoint, addend }: TinyTask) =>
    fenced(`def ${entryPoint}(number):\n    return abs(number) + ${addend}\n`),
  exception: ({ entryPoint }: TinyTask) => fenced(`def ${entryPoint}(number):\n    return number + undefined_name\n`),
  syntax_error: ({ entryPoint }: TinyTask) => fenced(`def ${entryPoint}(number):\n    return number +* 2\n`),
  no_code: () => 'That depends on what you need it for.',
  missing_dependency: ({ entryPoint }: TinyTask) =>
    fenced(`import numpy as np\n\ndef ${entryPoint}(number):\n    return np.add(number, 1)\n`),
} as const;

export const fenced = (code: string): string => `\`\`\`python\n${code}\`\`\``;

/** A line of a replay file; lines with more coordinates take precedence. */
export type ReplayLine = Readonly<Record<string, string | number>>;

export const replayText = (lines: readonly ReplayLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The task's code is right in `sustained` loops and, if that is below M, wrong in the next one. */
export function courseLines(task: TinyTask, sustained: number, maxLoops: number, bad: string): ReplayLine[] {
  const always = { task_id: task.id, step: 'generate', reply: fenced(rightCode(task)) };
  return sustained === maxLoops
    ? [always]
    : [always, { task_id: task.id, step: 'generate', loop: sustained + 1, reply: bad }];
}
