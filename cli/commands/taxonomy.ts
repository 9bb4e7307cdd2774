/**
 * `taxonomy`: a model of a run proposes a taxonomy of the run's prompt summaries, as a file for the setting
 * `taxonomy`.
 */
import { resolve } from 'node:path';
import { counted } from '../../domain/counted.ts';
import { createAccounts } from '../../activities/calls/accounts/accounts.ts';
import { proposeTaxonomy } from '../../activities/labels/propose-taxonomy.ts';
import type { Run } from '../../activities/runs/opened/run.ts';
import { createRuns } from '../../activities/runs/runs.ts';
import { InputError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { kindsWithLabels, studyOf } from '../../studies/index.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { checkOutputFile, writeOutput } from '../output/output-file.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export interface TaxonomyOptions {
  readonly runsDir: string;
  readonly model: string;
  readonly out: string;
  readonly study?: string;
  readonly sample: string;
  readonly seed: string;
  readonly asks: string;
}

export async function taxonomy(id: string, options: TaxonomyOptions, terminal: Terminal): Promise<ExitStatus> {
  const numbers = {
    sample: wholeNumber(options, 'sample', 1),
    seed: wholeNumber(options, 'seed', 0),
    asks: wholeNumber(options, 'asks', 1),
  };
  const file = resolve(options.out);
  // Replies are stored next to the file: without a place for them, answers would be paid for and lost.
  await checkOutputFile(file);
  const { manifest } = await runCatalog(options.runsDir).find(id);
  const runs = createRuns({ runsDir: options.runsDir, accounts: createAccounts(null) });
  try {
    const run = await runs.open({ runId: id, uuid: manifest.uuid, epoch: 0 });
    const study = studyNamed(run, options.study);
    const model = knownModel(run, options.model);
    const proposed = await proposeTaxonomy(run, { study, model, ...numbers, repliesFile: file });
    await writeOutput(file, [`${JSON.stringify(proposed.taxonomy, null, 2)}\n`]);
    const { categories, version, source } = proposed.taxonomy;
    for (const category of categories) {
      terminal.out(`${category.id} ${plain(category.name)}`);
      for (const theme of category.themes) terminal.out(`  ${theme.id} ${plain(theme.name)}: ${plain(theme.meaning)}`);
    }
    terminal.out(`wrote ${version} to ${file}, after ${counted(proposed.asks, 'answer')}; ${plain(source ?? '')}`);
    terminal.document({
      run: id,
      study: study.name,
      model,
      file,
      summaries: proposed.shown,
      asks: proposed.asks,
      taxonomy: proposed.taxonomy,
    });
    return exitStatus.done;
  } finally {
    await runs.close();
  }
}

function wholeNumber(options: TaxonomyOptions, name: 'sample' | 'seed' | 'asks', least: number): number {
  const value = Number(options[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InputError(`must be a whole number of at least ${least}; got "${options[name]}"`, { field: `--${name}` });
}

function studyNamed({ spec, runId }: Run, name: string | undefined): SpecStudy {
  const studies = spec.studies.filter((study) => studyOf(study).labels !== undefined);
  const found = name === undefined ? studies[0] : studies.find((study) => study.name === name);
  const names = studies.map((study) => study.name).join(', ');
  if (found === undefined)
    throw new InputError(
      studies.length === 0
        ? `run ${runId} has no study with labelled prompts; kinds that have them: ${kindsWithLabels.join(', ')}`
        : `no study "${name}" with labelled prompts in the run; known: ${names}`,
      { field: '--study' },
    );
  if (name === undefined && studies.length > 1)
    throw new InputError(`is required, since the run has several such studies: ${names}`, { field: '--study' });
  return found;
}

function knownModel({ spec }: Run, model: string): string {
  const ids = spec.models.map(({ id }) => id);
  if (ids.includes(model)) return model;
  const guess = nearest(model, ids);
  throw new InputError(
    `no model "${model}" in the run; ${guess === undefined ? `known: ${ids.join(', ')}` : `did you mean "${guess}"?`}`,
    {
      field: '--model',
    },
  );
}
