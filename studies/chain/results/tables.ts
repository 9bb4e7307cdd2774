/**
 * The translation chains' derived tables over the sealed pages: stored when a run ends,
 * computed for each report while it is active.
 */
import { chainFailureRows, chainScoreRows } from './rows.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { modelSlices } from '../../../analysis/slices/model-slices.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

export interface ChainTables {
  readonly chain_scores: readonly Row[];
  readonly chain_failures: readonly Row[];
}

const chainStudies = ({ spec }: Manifest): ChainStudy[] =>
  spec.studies.filter((study) => study.kind === 'evaloop-translation');

/** Empty for a run without such a study. @param atATime translations in memory, about */
export async function chainTables(database: RunDatabase, manifest: Manifest, atATime = 50_000): Promise<ChainTables> {
  const parts = await Promise.all(
    chainStudies(manifest).map(async ({ name, settings }) => {
      const own = `run = ${quoteText(manifest.runId)} AND study = ${quoteText(name)}`;
      const scores: Row[] = [];
      const failures: Row[] = [];
      for (const models of await modelSlices(database, 'translations', own, atATime)) {
        const chains = await records(database, `FROM chains WHERE ${own} AND ${models}`);
        const translations = await records(database, `FROM translations WHERE ${own} AND ${models}`);
        scores.push(...chainScoreRows(chains, translations, { scoring: settings.scoring }));
        failures.push(...chainFailureRows(translations));
      }
      return { scores, failures };
    }),
  );
  return {
    chain_scores: parts.flatMap(({ scores }) => scores),
    chain_failures: parts.flatMap(({ failures }) => failures),
  };
}

/** The tables of all runs, over the pages sealed so far. */
export async function currentChains(database: RunDatabase): Promise<ChainTables> {
  const parts = await Promise.all(database.manifests.map((manifest) => chainTables(database, manifest)));
  return {
    chain_scores: parts.flatMap((part) => part.chain_scores),
    chain_failures: parts.flatMap((part) => part.chain_failures),
  };
}
