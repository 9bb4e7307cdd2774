/** `taxonomy`: a model of a run proposes a taxonomy of the details in its summaries, as a file that the setting `taxonomy` takes. */
import { resolve } from 'node:path';
import { createAccounts } from '../../activities/accounts.ts';
import { proposeTaxonomy } from '../../activities/propose-taxonomy.ts';
import { createRuns, type Run } from '../../activities/runs.ts';
import { InputError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import type { SpecificityStudy } from '../../studies/specificity/settings.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { writeOutput } from '../output-file.ts';
import { findRun } from '../run-folders.ts';
import { plain, type Terminal } from '../terminal.ts';

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
  const { manifest } = await findRun(options.runsDir, id);
  const runs = createRuns({ runsDir: options.runsDir, accounts: createAccounts(null) });
  try {
    const run = await runs.open({ runId: id, uuid: manifest.uuid, epoch: 0 });
    const study = studyNamed(run, options.study);
    const model = knownModel(run, options.model);
    const file = resolve(options.out);
    const proposed = await proposeTaxonomy(run, { study, model, ...numbers, repliesFile: file });
    await writeOutput(file, [`${JSON.stringify(proposed.taxonomy, null, 2)}\n`]);
    const { categories, version, source } = proposed.taxonomy;
    for (const category of categories) {
      terminal.out(`${category.id} ${plain(category.name)}`);
      for (const theme of category.themes) terminal.out(`  ${theme.id} ${plain(theme.name)}: ${plain(theme.meaning)}`);
    }
    terminal.out(`${version} in ${file}, after ${proposed.asks} ${proposed.asks === 1 ? 'answer' : 'answers'}; ${plain(source ?? '')}`);
    terminal.document({
      run: id,
      study: study.name,
      model,
      file,
      summaries: proposed.summaries,
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
  throw new InputError(`is a whole number from ${least} on, got "${options[name]}"`, { field: `--${name}` });
}

function studyNamed({ spec, runId }: Run, name: string | undefined): SpecificityStudy {
  const studies = spec.studies.filter((study) => study.kind === 'specificity');
  const found = name === undefined ? studies[0] : studies.find((study) => study.name === name);
  const names = studies.map((study) => study.name).join(', ');
  if (found === undefined)
    throw new InputError(
      studies.length === 0
        ? `run ${runId} has no study of kind specificity, whose summaries could be looked at`
        : `no study "${name}"; it has: ${names}`,
      { field: '--study' },
    );
  if (name === undefined && studies.length > 1) throw new InputError(`is needed, the run has several: ${names}`, { field: '--study' });
  return found;
}

function knownModel({ spec }: Run, model: string): string {
  const ids = spec.models.map(({ id }) => id);
  if (ids.includes(model)) return model;
  const guess = nearest(model, ids);
  throw new InputError(
    `no model "${model}" in the run; ${guess === undefined ? `it has: ${ids.join(', ')}` : `did you mean "${guess}"?`}`,
    {
      field: '--model',
    },
  );
}
