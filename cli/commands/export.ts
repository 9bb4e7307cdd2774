/** `export`: a run in a form that others, or a later run, can use. */
import { resolve } from 'node:path';
import { createAccounts } from '../../activities/accounts.ts';
import { labelSampleLines } from '../../activities/export-label-sample.ts';
import { replayLines } from '../../activities/export-replay.ts';
import { variantLines } from '../../activities/export-variants.ts';
import { createRuns, type Run } from '../../activities/runs.ts';
import { InputError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { writeOutput } from '../output-file.ts';
import { findRun } from '../run-folders.ts';
import type { Terminal } from '../terminal.ts';

export interface ExportOptions {
  readonly runsDir: string;
  readonly format: string;
  readonly out: string;
  readonly model?: string;
}

/** Each gives lines of text. */
const formats: Readonly<Record<string, (run: Run, model: string | null) => Iterable<string>>> = {
  replay: replayLines,
  variants: variantLines,
  'label-sample': labelSampleLines,
};

export async function exportRun(id: string, options: ExportOptions, terminal: Terminal): Promise<ExitStatus> {
  const lines = formats[options.format];
  if (lines === undefined)
    throw new InputError(`is one of ${Object.keys(formats).join(', ')}; got "${options.format}"`, { field: '--format' });
  const { manifest } = await findRun(options.runsDir, id);
  const runs = createRuns({ runsDir: options.runsDir, accounts: createAccounts(null) });
  try {
    const run = await runs.open({ runId: id, uuid: manifest.uuid, epoch: 0 });
    const out = resolve(options.out);
    const count = await writeOutput(out, lines(run, knownModel(run, options.model)));
    terminal.out(`${count} lines in ${out}`);
    terminal.document({ run: id, format: options.format, lines: count, file: out });
  } finally {
    await runs.close();
  }
  return exitStatus.done;
}

function knownModel({ spec }: Run, model: string | undefined): string | null {
  const ids = spec.models.map(({ id }) => id);
  if (model === undefined || ids.includes(model)) return model ?? null;
  const guess = nearest(model, ids);
  throw new InputError(
    `no model "${model}" in the run; ${guess === undefined ? `it has: ${ids.join(', ')}` : `did you mean "${guess}"?`}`,
    {
      field: '--model',
    },
  );
}
