/** The extraction rules of a run's studies: fixed when the run is created. */
import { InputError } from '../../domain/errors.ts';
import { defaultExtraction, earlierExtraction, ruleOf } from '../../studies/extraction.ts';
import { ruleId } from '../../domain/extraction/rules/rule.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';

/** Sets a rule for every study: a study without one uses the run's, a new study the default. */
export const withExtraction = (spec: Spec, run: Spec | null): Spec => ({
  ...spec,
  studies: spec.studies.map((study) => {
    const planned = run?.studies.find(({ name }) => name === study.name);
    const unnamed = planned === undefined ? defaultExtraction : (planned.extraction ?? earlierExtraction);
    return { ...study, extraction: study.extraction ?? unnamed };
  }),
});

/** The rule with its version, by study. */
export const rulesOf = ({ studies }: Spec): Record<string, string> =>
  Object.fromEntries(studies.map((study) => [study.name, ruleId(ruleOf(study))]));

/** Throws InputError if this program has another version of a rule than the one the run was made with. */
export function refuseOtherRules({ spec, versions, runId }: Pick<Manifest, 'spec' | 'versions' | 'runId'>): void {
  const lines = Object.entries(rulesOf(spec)).flatMap(([study, now]) => {
    const planned = versions.extraction?.[study] ?? now;
    return planned === now ? [] : [`  - study ${study}: ${planned} in the run, ${now} in this version of evenkeel`];
  });
  if (lines.length === 0) return;
  throw new InputError(
    [
      `run "${runId}" was made with other extraction rules:`,
      ...lines,
      'Continue with the version that made it, or judge its replies again: evenkeel rescore RUN --extraction RULE.',
    ].join('\n'),
  );
}
