/** The note on runs that judge a benchmark by different rules: limits of time, and programs that need a package. */
import type { Manifest } from '../../schemas/manifest.ts';
import { judgingRule } from '../../schemas/spec/benchmark.ts';

/** Empty if all the runs that have the benchmark judge it by the same rule. */
export function judgingNotes(manifests: readonly Manifest[], benchmark: string): string[] {
  const rules = manifests.flatMap(({ runId, spec }) => {
    const own = spec.benchmarks[benchmark];
    return own === undefined ? [] : [{ runId, rule: judgingRule.parse(own.judging ?? {}) }];
  });
  const names = (['caseLimitMs', 'referenceFactor', 'missingPackage'] as const).filter(
    (name) => new Set(rules.map(({ rule }) => rule[name])).size > 1,
  );
  if (names.length === 0) return [];
  const texts = rules.map(
    ({ runId, rule }) => `${names.map((name) => `${name} ${rule[name]}`).join(', ')} in run ${runId}`,
  );
  return [
    `benchmark ${benchmark} is judged by different rules (${texts.join('; ')}): verdicts on equal programs may ` +
      'differ; use `rescore` to judge the old replies by the new rule',
  ];
}
