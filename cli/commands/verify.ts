/** `verify`: checks every byte and key of a run against its manifest. */
import { counted } from '../../domain/counted.ts';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { manifestRemedy } from '../../domain/parse-manifest.ts';
import type { Repair } from '../../activities/runs/repair-parts.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import { type CellTables, type VerifyReport, verifyRun } from '../../activities/storage/verify/verify.ts';
import { ledgerName } from '../../activities/storage/run-paths.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { adviceHere } from '../faults/advice-here.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { RunCatalog } from '../../activities/storage/catalog/run-catalog.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { studyOf } from '../../studies/index.ts';
import { plain, type Terminal } from '../output/terminal.ts';
import type { VerifyProgress } from '../../activities/storage/verify/verify-progress.ts';
import { verifyLine } from '../output/verify-line.ts';

interface Options {
  readonly runsDir: string;
  readonly repair?: boolean;
}

export async function verify(id: string, options: Options, terminal: Terminal): Promise<ExitStatus> {
  try {
    return await verifyFound(id, options, terminal);
  } catch (error) {
    const found = manifestProblem(error);
    if (found === null) throw error;
    const problem = adviceHere(found, options.runsDir);
    terminal.document({ run: id, ok: false, problems: [problem] });
    terminal.out(`problem: ${plain(problem)}`);
    return exitStatus.unexpected;
  }
}

/** Damage of the manifest, without which nothing else can be checked; null for other errors. */
const manifestProblem = (error: unknown): string | null =>
  (error instanceof InputError || error instanceof CorruptionError) && error.message.includes(manifestRemedy)
    ? error.message
    : null;

async function verifyFound(id: string, options: Options, terminal: Terminal): Promise<ExitStatus> {
  const catalog = runCatalog(options.runsDir);
  if (options.repair) await refuseToRepair(catalog, id);
  const repair = options.repair ? await repaired(options.runsDir, id, terminal) : null;
  const { home, manifest } = await catalog.find(id);
  const found = await verified(home, cellTables(manifest), progressOn(terminal));
  const result = { ...found, problems: found.problems.map((problem) => adviceHere(problem, options.runsDir)) };
  terminal.document({ run: id, ...result, ...(repair !== null && { repair }) });
  for (const problem of result.problems) terminal.out(`problem: ${plain(problem)}`);
  for (const note of result.notes) terminal.out(`note:    ${note}`);
  for (const stray of result.strays) terminal.out(`stray:   ${stray} (harmless)`);
  const { missingTables = [] } = manifest;
  if (repair !== null && result.problems.length > missingTables.length) terminal.out(unmended);
  const { parts, inputs, replies, rows } = result.checked;
  const checked = `${parts} table files, ${inputs} inputs, ${replies} replies, ${rows} rows`;
  terminal.out(
    result.ok
      ? `run "${id}" is intact: ${checked} match its manifest${result.sealed || isPartial(manifest) ? '' : unsealed}`
      : `${counted(result.problems.length, 'problem')} in run "${id}" (${checked} checked)`,
  );
  return result.ok ? exitStatus.done : exitStatus.unexpected;
}

/** Loads what servers need only for them. */
async function verified(
  home: RunHome,
  ...args: [CellTables, (progress: VerifyProgress) => void]
): Promise<VerifyReport> {
  if (!home.isOnServers) return verifyRun(home.folder, ...args);
  const { verifyOnServers } = await import('../../activities/storage/verify/verify-servers.ts');
  return verifyOnServers(home, ...args);
}

/** Nothing where the line cannot be replaced by the next one. */
function progressOn(terminal: Terminal): (progress: VerifyProgress) => void {
  const startMs = performance.now();
  let lastMs = startMs;
  return (progress) => {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - lastMs < betweenLinesMs) return;
    lastMs = nowMs;
    terminal.progress(verifyLine(progress, nowMs - startMs));
  };
}
const betweenLinesMs = 250;

/** As every change is refused. Damage of the manifest may be mended: the repair does, or says what is wrong. */
async function refuseToRepair(catalog: RunCatalog, id: string): Promise<void> {
  await catalog.findToChange(id).catch((error: unknown) => {
    if (!(error instanceof CorruptionError)) throw error;
  });
}

async function repaired(runsDir: string, id: string, terminal: Terminal): Promise<Repair> {
  // Loads providers and plan readers, which only a repair needs.
  const { repairRun } = await import('../../activities/runs/repair-run.ts');
  const repair = await repairRun(runsDir, id);
  for (const path of repair.restored) terminal.out(`rebuilt: ${path}`);
  for (const path of repair.replaced) terminal.out(`rebuilt with different bytes: ${path}`);
  for (const lost of repair.lost) terminal.out(`lost:    ${plain(lost)}`);
  return repair;
}

const unmended =
  'what these problems name cannot be rebuilt from the ledger: do what they say, or restore the run folder from a copy';

const isPartial = ({ archive }: Manifest): boolean => archive?.leftOut.includes(ledgerName) === true;

const unsealed =
  '; ledger not sealed (the run is active or was interrupted, or its older ledger was rewritten): contents ' +
  'checked, file hash not; `run` or `resume` seals it when the run is complete';

const cellTables = ({ spec }: Manifest): CellTables =>
  Object.fromEntries(spec.studies.map((study) => [study.name, studyOf(study).cellTables]));
