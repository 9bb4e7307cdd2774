/** What the studies of a spec want measured and a sandbox tier cannot measure: said at the top of `plan` and `run`. */
import { nameList } from '../../domain/name-list.ts';
import type { Spec } from '../../schemas/spec.ts';
import { isRobunfr } from '../../studies/robunfr/steps.ts';

export function unmeasured({ studies }: Spec, tier: string): string[] {
  const names = studies.filter(isRobunfr).map(({ name }) => name);
  if (names.length === 0 || tier === 'container') return [];
  const lacks = tier === 'embedded' ? 'neither quality nor time: pass only' : 'no quality: pass and time only';
  return [
    `on this machine's ${tier} sandbox ${nameList(names)} measures ${lacks}; the container sandbox measures all of it (\`evenkeel doctor\` says what it needs)`,
  ];
}
