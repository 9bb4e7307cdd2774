/** Why two lanes or tiers disagree on a program: causes that a second run confirms. */
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { verdictOf } from '../../domain/verdict.ts';
import { expectedOutputs } from '../../activities/judging/suite-cases.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { Mutant } from '../mutants/make.ts';
import { type Asked, judge, type Judgement, scaledLimits } from './judge.ts';
import type { Subject } from './subjects.ts';

export interface Difference {
  readonly task: string;
  readonly suite: string;
  readonly mutant: Mutant;
  readonly left: Judgement;
  readonly right: Judgement;
  /** Null if unknown. */
  readonly cause: string | null;
}

interface Question {
  readonly left: Judgement;
  readonly right: Judgement;
  readonly asked: Asked;
  /** The same task and suite with the reference of the other sandbox. */
  readonly otherSubject: Subject;
  readonly box: Sandbox;
  readonly other: Sandbox;
}

const limits: ReadonlySet<Outcome> = new Set(['cpu_timeout', 'wall_timeout', 'memory', 'output_limit', 'killed']);
const wideMs = 20_000;

/** The first confirmed cause, or null. */
export async function explain(question: Question): Promise<string | null> {
  const { left, right, asked, otherSubject } = question;
  if (limits.has(left.outcome) && limits.has(right.outcome))
    return 'both hit a limit, but a different one or in a different case';
  if (limits.has(left.outcome) || limits.has(right.outcome))
    return (await agreeWithWideLimits(question)) ? 'one of them hit a limit: with wide limits they agree' : null;
  if (/RecursionError/.test(`${left.detail} ${right.detail}`))
    return 'the interpreters allow different depths of recursion';
  if (question.box === question.other) return null;
  const expected = expectedOutputs(asked.subject.suite, asked.subject.reference);
  const swapped = verdictOf(right.run, expected, asked.subject.suite.oracle);
  if (swapped.outcome === left.outcome && swapped.firstFailingCase === left.firstFailingCase)
    return "the program does the same in both; what is expected differs, since the references' outputs do";
  const own = expectedOutputs(otherSubject.suite, otherSubject.reference);
  const back = verdictOf(left.run, own, otherSubject.suite.oracle);
  if (JSON.stringify(left.run.results) === JSON.stringify(right.run.results) && back.outcome === right.outcome)
    return "the program's outputs are the same in both; what is expected differs, since the references' outputs do";
  if (left.outcome === right.outcome && itemsOf(left) === itemsOf(right))
    return 'the outputs have the same items in another order: interpreters order the texts of a set differently';
  return null;
}

/** The outputs of all cases, with the items of each list in a fixed order. */
const itemsOf = ({ run }: Judgement): string =>
  JSON.stringify(run.results.map((result) => ('value' in result ? withSortedLists(result.value) : result)));

const withSortedLists = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown) =>
    Array.isArray(value) ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  );

async function agreeWithWideLimits({ asked, otherSubject, box, other }: Question): Promise<boolean> {
  const wide = { ...scaledLimits(asked.subject), caseTimeoutMs: wideMs };
  const [left, right] = await Promise.all([
    judge(box, asked.subject, asked.source, wide),
    judge(other, otherSubject, asked.source, wide),
  ]);
  return left.outcome === right.outcome && left.firstFailingCase === right.firstFailingCase;
}
