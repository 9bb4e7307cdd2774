/** Judges programs on suites in a given lane. */
import pLimit from 'p-limit';
import { limitsFor } from '../../activities/judging/execution-key.ts';
import { runAndJudge } from '../../activities/judging/judge-lane.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { expectedOutputs } from '../../activities/judging/suite-cases.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { Limits, ProgramRun } from '../../schemas/program.ts';
import type { Subject } from './subjects.ts';

export interface Judgement extends Verdict {
  readonly run: ProgramRun;
}

export async function judge(
  box: Sandbox,
  subject: Subject,
  source: string,
  limits: Limits = studyLimits(subject),
  goesFirst = false,
): Promise<Judgement> {
  const { task, suite, reference } = subject;
  const { run, verdict } = await runAndJudge(
    { box, task, suite, source, limits, goesFirst },
    expectedOutputs(suite, reference),
  );
  return { ...verdict, run };
}

export interface Asked {
  readonly subject: Subject;
  readonly source: string;
}

export type Lane = 'isolated' | 'batch';

const studyLimits = ({ reference, suite }: Subject): Limits => limitsFor(reference, suite);

/** Short limits, for sets with many endless programs: 0.2 s, or four times the reference's time. */
export function scaledLimits(subject: Subject): Limits {
  const longestMs = Math.max(0, ...subject.reference.caseMs);
  return { ...studyLimits(subject), caseTimeoutMs: Math.max(200, 4 * longestMs) };
}

/** Programs in flight: enough for all slots, few enough for memory. */
const inFlight = 64;

/**
 * `batch`: requests all programs of a suite together, so that they share processes. `isolated`: never two of the same
 * suite at once, so that none do. Verdicts are in the order of the requests.
 */
export async function judgeAll(
  box: Sandbox,
  asked: readonly Asked[],
  lane: Lane,
  limitsOf = studyLimits,
): Promise<Judgement[]> {
  const groups = Map.groupBy(asked.keys(), (index) => asked[index]?.subject);
  const verdicts: Judgement[] = [];
  const judgeOne = async (index: number): Promise<void> => {
    const { subject, source } = asked[index] as Asked;
    verdicts[index] = await judge(box, subject, source, limitsOf(subject));
  };
  const limit = pLimit(lane === 'batch' ? 4 : inFlight);
  const judgeGroup = async (indices: readonly number[]): Promise<void> => {
    if (lane === 'batch') await limit(() => Promise.all(indices.map(judgeOne)));
    else for (const index of indices) await limit(() => judgeOne(index));
  };
  await Promise.all([...groups.values()].map(judgeGroup));
  return verdicts;
}
