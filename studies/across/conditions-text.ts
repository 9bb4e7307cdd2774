/** Under which conditions a note holds. */
import { conditionName, type GateSubject } from '../../domain/gate/evaluate.ts';

/** What a note is about; the variant of a prompt if each is compared separately. */
export type NotedSubject = GateSubject & { readonly variant?: string | null };

type NotedCondition = Pick<NotedSubject, 'dimension' | 'workflow' | 'suite' | 'variant'>;

/** ` (readability; function-only)`: the conditions that a note is about; empty if it is about all that are compared. */
export function conditionsText(some: readonly NotedCondition[], all: readonly NotedCondition[]): string {
  const severalSuites = new Set(all.map(({ suite }) => suite)).size > 1;
  const nameOf = (subject: NotedCondition): string => {
    const suite = severalSuites && subject.suite !== null ? [subject.suite] : [];
    const variant = subject.variant == null ? [] : [`variant ${subject.variant}`];
    return [conditionName(subject), ...suite, ...variant].join(', ');
  };
  const names = new Set(some.map(nameOf));
  return all.every((subject) => names.has(nameOf(subject))) ? '' : ` (${[...names].join('; ')})`;
}
