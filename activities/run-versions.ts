/** What a run was made with: its prompts, its scoring and its tables are those of one version, whoever goes on with it. */
import { InputError } from '../domain/errors.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Spec } from '../schemas/spec.ts';
import { studyOf } from '../studies/index.ts';
import { refuseOtherRules, rulesOf } from './extraction-rules.ts';
import { priceList } from './prices.ts';
import { programVersion } from './version.ts';

type Versions = Manifest['versions'];

/** Raised where the same replies and programs come to other verdicts. */
const scorer = 'verdict-1';
/** Raised where a column means another thing than before; a column more leaves it. Runs of version 0.1 have the first and do not say so. */
const tables = 'tables-1';

export const versionsOf = (spec: Spec): Versions => ({
  prompts: Object.fromEntries(spec.studies.map((study) => [study.name, studyOf(study).promptVersion])),
  extractor: 'extract-3',
  extraction: rulesOf(spec),
  scorer,
  tables,
  prices: priceList,
});

/** Those of a run whose spec has grown: what it was made with stays, and new studies come with what this program has. */
export function grownVersions(old: Versions, spec: Spec): Versions {
  const now = versionsOf(spec);
  return { ...now, ...old, prompts: { ...now.prompts, ...old.prompts }, extraction: { ...now.extraction, ...old.extraction } };
}

/** What a revision of the plan is made with. */
export const madeBy = (spec: Spec): { readonly programVersion: string; readonly versions: Versions } => ({
  programVersion,
  versions: versionsOf(spec),
});

/** Throws InputError, with the differences and what to do, where this program would ask, judge or write other things than the run began with. */
export function refuseOtherVersions(manifest: Pick<Manifest, 'spec' | 'versions' | 'runId' | 'programVersion'>): void {
  refuseOtherRules(manifest);
  const lines = differences(manifest.versions, versionsOf(manifest.spec));
  if (lines.length === 0) return;
  const { runId, programVersion: made } = manifest;
  throw new InputError(
    [
      `run "${runId}" was made by another version of evenkeel (${made}, this is ${programVersion}), and its rows would not fit together:`,
      ...lines,
      `Go on with the version that made it (npx evenkeel@${made}), or start a new run under another name (--run ID).`,
    ].join('\n'),
  );
}

function differences(run: Versions, now: Versions): string[] {
  const compared = [
    ...Object.entries(now.prompts).map(([study, version]) => ({ what: `prompts of study ${study}`, was: run.prompts[study], version })),
    { what: 'scoring', was: run.scorer, version: now.scorer },
    { what: 'tables', was: run.tables, version: now.tables },
  ];
  return compared.flatMap(({ what, was, version }) =>
    was === undefined || was === version ? [] : [`  - ${what}: ${was} in the run, ${version} in this version`],
  );
}
