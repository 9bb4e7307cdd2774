/** Whether lanes and tiers agree on the same programs: mutants of references, judged in each. */
import { InputError } from '../domain/errors.ts';
import { counted } from '../domain/counted.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { SandboxTier } from '../schemas/states.ts';
import { type Difference, explain } from './judging/lane-differences.ts';
import { type Judgement, judgeAll, type Lane, scaledLimits } from './judging/judge.ts';
import { loadTasks, type Subject, subjectsOf } from './judging/subjects.ts';
import { loadText } from './machine.ts';
import { makeMutants, type Mutant } from './mutants/make.ts';

export interface LanesOptions {
  /** The files; a dataset without one is left out. */
  readonly humaneval?: string;
  readonly mbpp?: string;
  readonly mutants: string;
  readonly seed: string;
  readonly suites: string;
  readonly against: string;
}

interface Way {
  readonly name: string;
  readonly tier: SandboxTier;
  readonly lane: Lane;
}

const first: Way = { name: 'container isolated', tier: 'container', lane: 'isolated' };
const ways: Readonly<Record<string, Way>> = {
  batch: { name: 'container batch', tier: 'container', lane: 'batch' },
  bubblewrap: { name: 'bubblewrap isolated', tier: 'bubblewrap', lane: 'isolated' },
  embedded: { name: 'embedded', tier: 'embedded', lane: 'isolated' },
};

/** Throws if the cause of a difference is unknown. */
export async function lanes(options: LanesOptions, print: (line: string) => void): Promise<void> {
  const tasks = [
    ...(options.humaneval === undefined ? [] : await loadTasks('humaneval-plus', options.humaneval)),
    ...(options.mbpp === undefined ? [] : await loadTasks('mbpp-plus', options.mbpp)),
  ];
  if (tasks.length === 0) throw new InputError('name --humaneval, --mbpp or both');
  const mutants = makeMutants(tasks, Number(options.mutants), Number(options.seed));
  print(`${mutants.length} mutants of ${tasks.length} tasks, seed ${options.seed}, suites ${options.suites}`);
  const suites = options.suites.split(',');
  const box = await openSandbox(first.tier, { onProgress: print });
  try {
    const expected = await measure(box, first);
    let unexplained = 0;
    for (const name of options.against.split(',')) {
      const way = ways[name];
      if (way === undefined)
        throw new Error(`--against must list any of ${Object.keys(ways).join(', ')}; got '${name}'`);
      unexplained += await compare(way, expected);
    }
    if (unexplained > 0) throw new Error(`${counted(unexplained, 'difference')} without a known cause`);
  } finally {
    await box.close();
  }

  async function compare(way: Way, expected: Measured): Promise<number> {
    const other = way.tier === first.tier ? box : await openSandbox(way.tier, { onProgress: print });
    try {
      const got = await measure(other, way);
      const differences = await differencesOf(expected, got, { box, other });
      for (const line of report(way, differences, got.verdicts.length)) print(line);
      return differences.filter(({ cause }) => cause === null).length;
    } finally {
      if (other !== box) await other.close();
    }
  }

  async function measure(sandbox: Sandbox, { name, lane }: Way): Promise<Measured> {
    const subjects = await subjectsOf(sandbox, tasks, suites);
    const byTask = Map.groupBy(subjects, ({ task }) => task.taskId);
    const asked = mutants.flatMap((mutant) =>
      (byTask.get(mutant.task) ?? []).map((subject) => ({ subject, source: mutant.source, mutant })),
    );
    const began = performance.now();
    const verdicts = await judgeAll(sandbox, asked, lane, scaledLimits);
    const seconds = (performance.now() - began) / 1000;
    print(
      `${name} (${sandbox.engine}): ${verdicts.length} verdicts in ${seconds.toFixed(0)} s, ${loadText()}; ` +
        `${outcomes(verdicts)}`,
    );
    return { asked, verdicts };
  }
}

interface Measured {
  readonly asked: readonly { readonly subject: Subject; readonly source: string; readonly mutant: Mutant }[];
  readonly verdicts: readonly Judgement[];
}

function outcomes(verdicts: readonly Judgement[]): string {
  const batched = verdicts.filter(({ run }) => run.lane === 'batch').length;
  const counts = Map.groupBy(verdicts, ({ outcome }) => outcome);
  return [...[...counts].map(([outcome, those]) => `${outcome} ${those.length}`).sort(), `in batches ${batched}`].join(
    ', ',
  );
}

async function differencesOf(
  one: Measured,
  other: Measured,
  boxes: { box: Sandbox; other: Sandbox },
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [index, left] of one.verdicts.entries()) {
    const right = other.verdicts[index];
    const [asked, otherAsked] = [one.asked[index], other.asked[index]];
    if (right === undefined || asked === undefined || otherAsked === undefined)
      throw new Error(`verdict ${index} is missing`);
    if (left.outcome === right.outcome && left.firstFailingCase === right.firstFailingCase) continue;
    const cause = await explain({ left, right, asked, otherSubject: otherAsked.subject, ...boxes });
    differences.push({
      task: asked.subject.task.taskId,
      suite: asked.subject.suite.name,
      mutant: asked.mutant,
      left,
      right,
      cause,
    });
  }
  return differences;
}

function report({ name }: Way, differences: readonly Difference[], count: number): string[] {
  const causes = Map.groupBy(differences, ({ cause }) => cause ?? 'NO KNOWN CAUSE');
  return [
    `${first.name} and ${name}: ${differences.length} of ${count} verdicts differ`,
    ...[...causes].flatMap(([cause, those]) => [
      `  ${those.length}: ${cause}`,
      ...those.map((one) => `    ${line(one)}`),
    ]),
  ];
}

const line = ({ task, suite, mutant, left, right }: Difference): string =>
  `${task} ${suite} (${mutant.operator}): ${verdictText(left)} | ${verdictText(right)}`;

const verdictText = ({ outcome, firstFailingCase, detail }: Judgement): string =>
  `${outcome} at ${firstFailingCase ?? '-'}${detail === null ? '' : ` ${detail.slice(0, 100).replaceAll('\n', ' ')}`}`;
