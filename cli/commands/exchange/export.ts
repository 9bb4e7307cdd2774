/** `export`: writes a run in a format that others, or a later run, can use. */
import { resolve } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import { createAccounts } from '../../../activities/calls/accounts.ts';
import { exportFormats, isExportFormat } from '../../../activities/exchange/export-formats.ts';
import { createRuns, type Run } from '../../../activities/runs/runs.ts';
import { InputError } from '../../../domain/errors.ts';
import { nearest } from '../../../domain/nearest.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { writeOutput } from '../../output/output-file.ts';
import { findRun } from '../../run-folders.ts';
import type { Terminal } from '../../output/terminal.ts';

export interface ExportOptions {
  readonly runsDir: string;
  readonly format: string;
  readonly out: string;
  readonly model?: string;
}

export async function exportRun(id: string, options: ExportOptions, terminal: Terminal): Promise<ExitStatus> {
  if (!isExportFormat(options.format))
    throw new InputError(`must be one of ${Object.keys(exportFormats).join(', ')}; got "${options.format}"`, {
      field: '--format',
    });
  const { lines } = exportFormats[options.format];
  const { manifest } = await findRun(options.runsDir, id);
  const runs = createRuns({ runsDir: options.runsDir, accounts: createAccounts(null) });
  try {
    const run = await runs.open({ runId: id, uuid: manifest.uuid, epoch: 0 });
    const out = resolve(options.out);
    const count = await writeOutput(out, lines(run, knownModel(run, options.model)));
    terminal.out(`wrote ${counted(count, 'line')} to ${out}`);
    if (manifest.state !== 'complete')
      terminal.note(`note: run "${id}" is not complete, so the file holds only what it has so far`);
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
    `no model "${model}" in the run; ${guess === undefined ? `known: ${ids.join(', ')}` : `did you mean "${guess}"?`}`,
    {
      field: '--model',
    },
  );
}
