/** Why EvalPlus and evenkeel disagree on a program: causes that a second run confirms. */
import { limitsFor } from '../../activities/judging/execution-key.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { Mutant } from '../mutants/make.ts';
import type { Peer, ToJudge } from '../sandbox/evalplus.ts';
import { judge, type Judgement } from './judge.ts';
import type { Subject } from './subjects.ts';

export interface PeerOpinion {
  /** `pass`, `fail` or `timeout`. */
  readonly status: string;
  /** Number of cases run, including the first that failed. */
  readonly cases: number;
  readonly program: ToJudge;
}

export interface Pair {
  readonly subject: Subject;
  readonly program: Mutant;
  readonly ours: Judgement;
  readonly peer: PeerOpinion;
}

interface Boxes {
  readonly box: Sandbox;
  readonly peer: Peer;
}

const limits: ReadonlySet<Outcome> = new Set(['cpu_timeout', 'wall_timeout', 'memory', 'output_limit', 'killed']);
const generousSeconds = 30;

/** The first confirmed cause, or null. */
export async function causeOf(pair: Pair, pairs: readonly Pair[], boxes: Boxes): Promise<string | null> {
  const { ours, peer } = pair;
  if (ours.outcome === 'unencodable')
    return 'the program returns a value of a type that only Python can compare, so evenkeel gives no verdict';
  const own = pairs.find(({ program, subject }) => program.operator === 'reference' && subject === pair.subject);
  if (own !== undefined && own.peer.status !== 'pass') return "EvalPlus fails the task's own reference";
  if (own !== undefined && own.ours.outcome !== 'pass')
    return `evenkeel fails the task's own reference: ${own.ours.outcome}`;
  if (limits.has(ours.outcome) && (await agreesWithoutOurLimits(pair, boxes.box)))
    return "evenkeel's limit on time or memory";
  if (ours.outcome === 'pass' || peer.status === 'timeout' || peer.status === 'fail') {
    if (await agreesWithoutTheirLimits(pair, boxes.peer)) return "EvalPlus's limit on wall time, met under load";
  }
  return null;
}

async function agreesWithoutOurLimits({ subject, program, peer }: Pair, box: Sandbox): Promise<boolean> {
  const { suite, reference } = subject;
  const wide = { ...limitsFor(reference, suite), caseTimeoutMs: generousSeconds * 1000, memoryBytes: 2 ** 32 };
  return ((await judge(box, subject, program.source, wide)).outcome === 'pass') === (peer.status === 'pass');
}

async function agreesWithoutTheirLimits({ subject, ours, peer }: Pair, evalplus: Peer): Promise<boolean> {
  const [verdict] = await evalplus.judge([peer.program], 1, generousSeconds);
  const status = subject.suite.name === 'base' ? verdict?.[0] : verdict?.[2];
  return (status === 'pass') === (ours.outcome === 'pass');
}
