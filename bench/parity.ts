/**
 * Compares evenkeel's verdicts with those of EvalPlus, run for real on the same programs: references and mutants of
 * HumanEval+ and MBPP+.
 */
import { join } from 'node:path';
import { counted } from '../domain/counted.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { SandboxTier } from '../schemas/states.ts';
import type { Task } from '../schemas/task.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import { type Judgement, judgeAll, scaledLimits } from './judging/judge.ts';
import { causeOf, type Pair, type PeerOpinion } from './judging/parity-causes.ts';
import { loadTasks, type Subject, subjectsOf } from './judging/subjects.ts';
import { InputError } from '../domain/errors.ts';
import { loadText } from './machine.ts';
import { makeMutants, type Mutant } from './mutants/make.ts';
import { type EvalPlusDataset, type Peer, startEvalPlus } from './sandbox/evalplus.ts';

export interface ParityOptions {
  /** The files; a dataset without one is left out. */
  readonly humaneval?: string;
  readonly mbpp?: string;
  readonly mutants: string;
  readonly seed: string;
  readonly tier: string;
  readonly workers: string;
}

interface Asked {
  readonly subject: Subject;
  readonly source: string;
  readonly program: Mutant;
}

/** Throws if the cause of a difference is unknown. */
export async function parity(options: ParityOptions, print: (line: string) => void): Promise<void> {
  const box = await openSandbox(options.tier as SandboxTier, { onProgress: print });
  try {
    let unexplained = 0;
    const given = datasets.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
    if (given.length === 0) throw new InputError('name --humaneval, --mbpp or both');
    for (const dataset of given) unexplained += await ofDataset(dataset, given.length, { box, options, print });
    if (unexplained > 0) throw new Error(`${counted(unexplained, 'difference')} without a known cause`);
  } finally {
    await box.close();
  }
}

const datasets = ['humaneval', 'mbpp'] as const;

interface ParityRun {
  readonly box: Sandbox;
  readonly options: ParityOptions;
  readonly print: (line: string) => void;
}

const slowMs = 3000;

/** Number of differences without a known cause. */
async function ofDataset(
  [dataset, file]: readonly [EvalPlusDataset, string],
  datasetsInAll: number,
  { box, options, print }: ParityRun,
): Promise<number> {
  const tasks = await loadTasks(`${dataset}-plus`, file);
  const references = tasks.map(({ taskId, reference }) => ({ task: taskId, operator: 'reference', source: reference }));
  const programs = [
    ...references,
    ...makeMutants(tasks, Number(options.mutants) / datasetsInAll, Number(options.seed)),
  ];
  print(
    `\n${dataset}: ${references.length} references and ${programs.length - references.length} ` +
      `mutants, seed ${options.seed}; base and plus suites`,
  );
  const peer = await startEvalPlus(join(cacheFolder(process.env), 'bench'), dataset, file, print);
  try {
    const theirs = await peerOpinions(peer, tasks, programs, Number(options.workers));
    print(`EvalPlus 0.3.1, ${options.workers} workers: done, ${loadText()}`);
    const subjects = await quickSubjects(box, tasks, print);
    const pairs = await judgedPairs(box, subjects, programs, theirs);
    print(`${box.tier} (${box.engine}): done, ${loadText()}`);
    return await conclude(pairs, { box, peer }, print);
  } finally {
    peer.close();
  }
}

/** EvalPlus's verdict on each program, by suite. */
async function peerOpinions(
  peer: Peer,
  tasks: readonly Task[],
  programs: readonly Mutant[],
  workers: number,
): Promise<Record<string, PeerOpinion>[]> {
  const sourceIds = new Map(tasks.map(({ taskId, sourceTaskId }) => [taskId, sourceTaskId]));
  const asked = programs.map(({ task, source }) => ({ task: sourceIds.get(task) ?? task, source }));
  const verdicts = await peer.judge(asked, workers, 1);
  return verdicts.map(([base, baseCases, plus, plusCases], index) => {
    const program = asked[index];
    if (program === undefined) throw new Error('EvalPlus returned more verdicts than requested');
    return { base: { status: base, cases: baseCases, program }, plus: { status: plus, cases: plusCases, program } };
  });
}

/** Excludes suites with a slow reference, which would take hours with all mutants; prints their names. */
async function quickSubjects(box: Sandbox, tasks: readonly Task[], print: (line: string) => void): Promise<Subject[]> {
  const subjects = await subjectsOf(box, tasks);
  const isQuick = ({ reference }: Subject): boolean => reference.caseMs.reduce((sum, ms) => sum + ms, 0) < slowMs;
  const slow = subjects.filter((subject) => !isQuick(subject)).map(({ task, suite }) => `${task.taskId} ${suite.name}`);
  print(`excluded because the reference alone takes over ${slowMs} ms: ${slow.join(', ') || 'none'}`);
  return subjects.filter(isQuick);
}

async function judgedPairs(
  box: Sandbox,
  subjects: readonly Subject[],
  programs: readonly Mutant[],
  theirs: readonly Record<string, PeerOpinion>[],
): Promise<Pair[]> {
  const byTask = Map.groupBy(subjects, ({ task }) => task.taskId);
  const asked = programs.flatMap((program, index) =>
    (byTask.get(program.task) ?? []).map((subject): Asked & { readonly peer: PeerOpinion } => {
      const peer = theirs[index]?.[subject.suite.name];
      if (peer === undefined) throw new Error(`EvalPlus returned no verdict on ${program.task} ${subject.suite.name}`);
      return { subject, source: program.source, program, peer };
    }),
  );
  const verdicts = await judgeAll(box, asked, 'batch', scaledLimits);
  return asked.map((one, index) => ({ ...one, ours: verdicts[index] as Judgement }));
}

async function conclude(
  pairs: readonly Pair[],
  boxes: { box: Sandbox; peer: Peer },
  print: (line: string) => void,
): Promise<number> {
  const both = pairs.filter(({ ours, peer }) => ours.outcome === 'pass' && peer.status === 'pass').length;
  const neither = pairs.filter(({ ours, peer }) => ours.outcome !== 'pass' && peer.status !== 'pass').length;
  print(
    `${pairs.length} verdicts: ${both} pass in both, ${neither} in neither, ${pairs.length - both - neither} in one`,
  );
  const differing = pairs.filter(differs);
  const explained: { pair: Pair; cause: string | null }[] = [];
  for (const pair of differing) explained.push({ pair, cause: await causeOf(pair, pairs, boxes) });
  const elsewhere = differing.filter(({ ours, peer }) => (ours.outcome === 'pass') === (peer.status === 'pass')).length;
  print(`${differing.length} differences, ${elsewhere} of them only in the case that fails first:`);
  for (const [cause, those] of Map.groupBy(explained, ({ cause }) => cause ?? 'NO KNOWN CAUSE')) {
    print(`  ${those.length}: ${cause}`);
    for (const { pair } of those) print(`    ${pairText(pair)}`);
  }
  return explained.filter(({ cause }) => cause === null).length;
}

/** True if only one passes, or if they fail in different cases. A program that does not load runs no case. */
function differs({ ours, peer }: Pair): boolean {
  if (ours.outcome === 'pass' || peer.status === 'pass') return (ours.outcome === 'pass') !== (peer.status === 'pass');
  // EvalPlus does not count the case in which its process was stopped or ended.
  const ended = peer.status === 'timeout' ? peer.cases : peer.cases - 1;
  return (ours.firstFailingCase ?? -1) !== ended && !(ours.firstFailingCase === null && peer.cases === 0);
}

const pairText = ({ subject, program, ours, peer }: Pair): string =>
  `${program.task} ${subject.suite.name} (${program.operator}): evenkeel ${ours.outcome} at ` +
  `${ours.firstFailingCase ?? '-'}` +
  `${ours.detail === null ? '' : ` ${ours.detail.slice(0, 120).replaceAll('\n', ' ')}`}; EvalPlus ${peer.status} ` +
  `after ${peer.cases} of ${subject.suite.inputs.length} cases`;
