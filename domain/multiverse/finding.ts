/** A quantity that a multiverse follows: a model's value, or a difference between two models or groups. */
import type { Direction } from '../statistics/tests/version-verdict.ts';
import { type Conclusion, concludeOver, type UniverseValue } from './conclusion.ts';

/** Identifies a quantity in every universe. */
export interface Subject {
  readonly study: string;
  readonly benchmark: string;
  readonly metric: string;
  readonly dimension: string;
  readonly workflow: string;
  /** The model, or the group of models. */
  readonly model: string;
  /** What it is compared with: the quantity is a difference. Null for a value of `model` alone. */
  readonly other: string | null;
}

export interface Finding extends UniverseValue {
  readonly subject: Subject;
  /** Whether this is the run's own universe. */
  readonly isOwn: boolean;
  readonly unit: string;
  /** Null if neither direction is better. */
  readonly direction: Direction | null;
  /** Whether 0 means "no effect", so that the sign of the value is a conclusion. */
  readonly isSigned: boolean;
  readonly tasks: number;
  /** Cells that need an answer which was never asked for in this universe: they count as far as they are known. */
  readonly notAsked: number;
  readonly simulated: boolean;
}

/** One quantity over all universes. */
export interface Curve {
  readonly subject: Subject;
  /** In the run's own universe; null if it lacks this quantity. */
  readonly own: Finding | null;
  /** The own universe first; at least one has an estimate. */
  readonly findings: readonly [Finding, ...Finding[]];
  readonly conclusion: Conclusion;
}

/**
 * Quantities in the order in which they are first found; those without any estimate are omitted. A difference is turned
 * so that the model that is better in the own universe comes first.
 */
export function curvesOf(findings: readonly Finding[]): Curve[] {
  const bySubject = Map.groupBy(findings, ({ subject }) => JSON.stringify(subject));
  return [...bySubject.values()].flatMap((found) => {
    const [first, ...others] = turned(found).toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
    const conclusion = first === undefined ? null : concludeOver([first, ...others]);
    if (first === undefined || conclusion === null) return [];
    return [{ subject: first.subject, own: first.isOwn ? first : null, findings: [first, ...others], conclusion }];
  });
}

function turned(findings: readonly Finding[]): readonly Finding[] {
  const known = findings.filter(({ estimate }) => estimate !== null);
  const { estimate, direction, subject } = known.find(({ isOwn }) => isOwn) ?? known[0] ?? {};
  const isBehind = direction === 'lower' ? (estimate ?? 0) > 0 : (estimate ?? 0) < 0;
  return isBehind && subject?.other != null ? findings.map(reversed) : findings;
}

function reversed(finding: Finding): Finding {
  const { subject, estimate, interval } = finding;
  const negated = (value: number): number => 0 - value;
  return {
    ...finding,
    subject: { ...subject, model: subject.other ?? '', other: subject.model },
    estimate: estimate === null ? null : negated(estimate),
    interval: interval && { lo: negated(interval.hi), hi: negated(interval.lo) },
  };
}
