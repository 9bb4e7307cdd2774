/** What a simulated model knows of a benchmark: references, and mutations of them that were seen to fail. */
import type { Task } from '../schemas/task.ts';
import { answeringProgram } from '../simulator/answering-program.ts';
import type { SimulatedTask } from '../simulator/model.ts';
import type { Ledger } from './storage/ledger.ts';

/** Name of the ledger fact that lists a task's mutations which were run and failed. */
export const failingMutationsFact = (task: Task): string => `failing-mutations/${task.recordSha256}`;

/** Fails on every suite, whatever it expects: what is left when no mutation of a reference was seen to fail. */
const raisingProgram = ({ entryPoint, language }: Task): string => raising[language](entryPoint);

const raising: Readonly<Record<Task['language'], (name: string) => string>> = {
  python: (name) => `def ${name}(*args, **kwargs):\n    raise NotImplementedError\n`,
  javascript: (name) => `function ${name}() {\n  throw new Error('not implemented');\n}\n`,
  php: (name) => `<?php\nfunction ${name}(...$args) {\n    throw new Exception('not implemented');\n}\n`,
  ruby: (name) => `def ${name}(*args)\n  raise NotImplementedError\nend\n`,
  perl: (name) => `sub ${name} {\n  die "not implemented";\n}\n`,
  cpp: (name) => `template <class... Given> int ${name}(Given...) {\n  throw 1;\n}\n`,
};

export const simulatedTask = (task: Task, failing: readonly string[]): SimulatedTask => ({
  taskId: task.taskId,
  entryPoint: task.entryPoint,
  description: task.prompt,
  language: task.language,
  reference: knownSolution(task) ?? raisingProgram(task),
  wrong: failing.length > 0 ? [...failing] : [raisingProgram(task), ...wrongBodies(task)],
});

/** Of a prompt that ends in a C++ signature: bodies that do not build, and that end the process. */
const wrongBodies = ({ language, prompt }: Task): string[] =>
  language !== 'cpp' || !prompt.trimEnd().endsWith('{')
    ? []
    : ['    return result_of_nothing;', '    std::exit(0);'].map((body) => `${prompt}\n${body}\n}\n`);

/** Outside Python references are machine-made, where there are any: the tests are a better source. */
function knownSolution({ language, entryPoint, reference, suites }: Task): string | null {
  if (language === 'python') return reference || null;
  return answeringProgram(language, entryPoint, suites[0]?.script?.cases[0] ?? '') ?? (reference || null);
}

export const simulatedTasks = (tasks: readonly Task[], ledger: Pick<Ledger, 'fact'>): SimulatedTask[] =>
  tasks.map((task) => simulatedTask(task, JSON.parse(ledger.fact(failingMutationsFact(task)) ?? '[]') as string[]));
