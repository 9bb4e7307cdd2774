/** The versions that a run was made with: its prompts, scoring and tables must all come from the same versions. */
import { InputError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';
import { refuseOtherRules, rulesOf } from './extraction-rules.ts';
import { priceList } from '../calls/prices.ts';
import { programVersion } from './version.ts';

type Versions = Manifest['versions'];

/** Increased when the same replies and programs would get other verdicts. */
const scorer = 'verdict-1';
/**
 * Increased when the meaning of a column changes, not when a column is added. Runs of version 0.1 have the first
 * version without recording it.
 */
const tables = 'tables-1';

export const versionsOf = (spec: Spec): Versions => ({
  prompts: Object.fromEntries(spec.studies.map((study) => [study.name, studyOf(study).promptVersion])),
  extractor: 'extract-3',
  extraction: rulesOf(spec),
  scorer,
  tables,
  prices: priceList,
});

/** Versions of an extended run: existing entries stay, new studies get this program's versions. */
export function grownVersions(old: Versions, spec: Spec): Versions {
  const now = versionsOf(spec);
  return {
    ...now,
    ...old,
    prompts: { ...now.prompts, ...old.prompts },
    extraction: { ...now.extraction, ...old.extraction },
  };
}

/** The versions that a revision of the plan was made with. */
export const madeBy = (spec: Spec): { readonly programVersion: string; readonly versions: Versions } => ({
  programVersion,
  versions: versionsOf(spec),
});

/**
 * Throws InputError, with the differences and the remedy, if this program would ask,
 * judge or write differently from the run.
 */
export function refuseOtherVersions(manifest: Pick<Manifest, 'spec' | 'versions' | 'runId' | 'programVersion'>): void {
  refuseOtherRules(manifest);
  const lines = differences(manifest.versions, versionsOf(manifest.spec));
  if (lines.length === 0) return;
  const { runId, programVersion: made } = manifest;
  throw new InputError(
    [
      `run "${runId}" was made by another version of evenkeel (${made}, this is ${programVersion}), and its rows ` +
        'would not fit together:',
      ...lines,
      `Continue with the version that made it (npx evenkeel@${made}), ` +
        'or start a new run under another name (--run ID).',
    ].join('\n'),
  );
}

function differences(run: Versions, now: Versions): string[] {
  const compared = [
    ...Object.entries(now.prompts).map(([study, version]) => ({
      what: `prompts of study ${study}`,
      was: run.prompts[study],
      version,
    })),
    { what: 'scoring', was: run.scorer, version: now.scorer },
    { what: 'tables', was: run.tables, version: now.tables },
  ];
  return compared.flatMap(({ what, was, version }) =>
    was === undefined || was === version ? [] : [`  - ${what}: ${was} in the run, ${version} in this version`],
  );
}
