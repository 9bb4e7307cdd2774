/**
 * Measurements that the studies of a spec want and the sandbox tier cannot make; shown at the top of `plan` and `run`.
 */
import { nameList } from '../../domain/name-list.ts';
import type { Spec } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';

export function unmeasured({ studies }: Spec, tier: string): string[] {
  const names = studies.filter((study) => studyOf(study).measuredAt !== undefined).map(({ name }) => name);
  if (names.length === 0 || tier !== 'embedded') return [];
  return [
    `in the ${tier} sandbox, ${nameList(names)} measures only pass or fail, not quality or time; the ` +
      `container and bubblewrap sandboxes measure all of these (\`evenkeel doctor\` says what they need)`,
  ];
}
