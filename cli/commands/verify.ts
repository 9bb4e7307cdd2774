/** `verify`: every byte and key of a run against its manifest. */
import { verifyRun } from '../../activities/storage/verify.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRun } from '../run-folders.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { TableName } from '../../schemas/tables.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Terminal } from '../terminal.ts';

export async function verify(id: string, { runsDir }: { runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const { folder, manifest } = await findRun(runsDir, id);
  const result = await verifyRun(folder, cellTables(manifest));
  terminal.document({ run: id, ...result });
  for (const problem of result.problems) terminal.out(`problem: ${problem}`);
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
