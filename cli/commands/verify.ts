/** `verify`: every byte and key of a run against its manifest. */
import type { Repair } from '../../activities/repair-parts.ts';
import { verifyRun } from '../../activities/storage/verify.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRun, findRunToGoOn } from '../run-folders.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { TableName } from '../../schemas/tables.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { plain, type Terminal } from '../terminal.ts';

export async function verify(id: string, options: { runsDir: string; repair?: boolean }, terminal: Terminal): Promise<ExitStatus> {
  const { folder, manifest } = await (options.repair ? findRunToGoOn : findRun)(options.runsDir, id);
  const repair = options.repair ? await repaired(options.runsDir, id, terminal) : null;
  const result = await verifyRun(folder, cellTables(manifest));
  terminal.document({ run: id, ...result, ...(repair !== null && { repair }) });
  for (const problem of result.problems) terminal.out(`problem: ${problem}`);
  for (const note of result.notes) terminal.out(`note:    ${note}`);
  for (const stray of result.strays) terminal.out(`stray:   ${stray} (harmless)`);
  const { parts, inputs, replies, rows } = result.checked;
  const checked = `${parts} parts, ${inputs} inputs, ${replies} replies, ${rows} rows`;
  terminal.out(
    result.ok
      ? `run "${id}" is whole: ${checked} agree with its manifest${result.sealed ? '' : unsealed}`
      : `${result.problems.length} problem(s) in run "${id}" (${checked} checked)`,
  );
  return result.ok ? exitStatus.done : exitStatus.unexpected;
}

async function repaired(runsDir: string, id: string, terminal: Terminal): Promise<Repair> {
  // Providers and readers of plans, for a repair only.
  const { repairRun } = await import('../../activities/repair-run.ts');
  const repair = await repairRun(runsDir, id);
  for (const path of repair.restored) terminal.out(`made again: ${path}`);
  for (const path of repair.replaced) terminal.out(`made again, with other bytes: ${path}`);
  for (const lost of repair.lost) terminal.out(`lost:    ${plain(lost)}`);
  return repair;
}

const unsealed =
  '; its ledger has no SHA-256, since the run goes on, was cut off, or has a ledger of an older program that was rewritten: its replies and structure were checked, its bytes as a whole once `run` or `resume` has come to its end';

/** Every study has a table with one row per cell; pages that word variants have their own. */
const cellTable = {
  evaloop: ['loops'],
  'evaloop-translation': ['chains'],
  promptse: ['prompt_scores', 'variants'],
  'robunfr-prompts': ['nfr_scores'],
  'robunfr-regression': ['nfr_scores'],
  'robunfr-workflows': ['nfr_scores'],
  specificity: ['prompt_passes', 'variants'],
} as const satisfies Record<SpecStudy['kind'], readonly TableName[]>;
const cellTables = ({ spec }: Manifest): Record<string, readonly string[]> =>
  Object.fromEntries(spec.studies.map(({ name, kind }) => [name, cellTable[kind]]));
