/** `benchmarks`: the known benchmarks and their files; --check runs the references on their own tests. */
import { join } from 'node:path';
import Table from 'cli-table3';
import {
  benchmarkPath,
  catalogueEntries,
  catalogueRequest,
  isFetched,
  missingFiles,
  readCatalogue,
} from '../../activities/benchmarks/catalogue.ts';
import { type Ceiling, measureCeilings, type PartlyJudged } from '../../activities/benchmarks/ceilings.ts';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { loadBenchmarks } from '../../activities/runs/plan-inputs.ts';
import { createReferenceCache } from '../../activities/judging/reference-cache.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { counted } from '../../domain/counted.ts';
import { InputError } from '../../domain/errors.ts';
import type { CatalogueEntry } from '../../schemas/catalogue.ts';
import type { Task } from '../../schemas/task.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { benchmarksFolder, catalogueFolder } from '../benchmark-folders.ts';
import { commandName } from '../command-name.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { readSpecFile } from '../spec-file.ts';
import { starterBenchmark } from '../starter.ts';
import type { Terminal } from '../output/terminal.ts';

export interface BenchmarksOptions {
  readonly check?: boolean;
  readonly spec?: string;
  readonly folder?: string;
}

export async function benchmarks(
  names: readonly string[],
  options: BenchmarksOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const catalogue = readCatalogue(catalogueFolder);
  const folder = benchmarksFolder(options.folder);
  if (options.check !== true && options.spec === undefined)
    return await list(catalogueEntries(catalogue, names), folder, terminal);
  const sets = options.spec === undefined ? fetchedSets(names, catalogue, folder) : await setsOfSpec(options.spec);
  return await check(sets, terminal);
}

async function list(entries: readonly CatalogueEntry[], folder: string, terminal: Terminal): Promise<ExitStatus> {
  const table = new Table({ head: ['name', 'tasks', 'format', 'licence', 'where'], style: { head: [], border: [] } });
  const places = entries.map((entry) => ({
    ...entry,
    path: isFetched(folder, entry) ? benchmarkPath(folder, entry) : null,
  }));
  table.push(['starter', String((await starter.load()).length), 'evenkeel', 'Apache-2.0', starterBenchmark]);
  for (const { name, tasks, format, licence, path } of places)
    table.push([name, String(tasks), format, licence, path ?? `${commandName()} fetch ${name}`]);
  terminal.out(table.toString());
  terminal.document({ folder, benchmarks: places });
  return exitStatus.done;
}

/** A benchmark to check. `known`: numbers of tasks whose reference is known to fail, by suite and reason. */
interface CheckedSet {
  readonly name: string;
  readonly known: CatalogueEntry['failing'] | null;
  load(): Promise<readonly Task[]>;
}

const starter: CheckedSet = {
  name: 'starter',
  known: null,
  load: () => tasksOf({ name: 'starter', format: 'evenkeel', path: starterBenchmark, seed: 0 }),
};

/** Without names: the starter and all downloaded benchmarks. Throws `InputError` for a named one not downloaded. */
function fetchedSets(names: readonly string[], catalogue: readonly CatalogueEntry[], folder: string): CheckedSet[] {
  const sets = catalogueEntries(catalogue, names).flatMap((entry) => {
    const missing = missingFiles(folder, entry, catalogue);
    if (missing.length > 0 && names.length > 0)
      throw new InputError(
        `not downloaded: ${missing.join(', ')}; run \`${commandName()} fetch ${missing.join(' ')}\``,
        {
          file: folder,
        },
      );
    const load = () => tasksOf(catalogueRequest(folder, entry, catalogue));
    return missing.length > 0 ? [] : [{ name: entry.name, known: entry.failing, load }];
  });
  return names.length === 0 ? [starter, ...sets] : sets;
}

const tasksOf = async (request: Parameters<typeof loadBenchmark>[0]): Promise<readonly Task[]> =>
  (await loadBenchmark(request)).tasks;

async function setsOfSpec(path: string): Promise<CheckedSet[]> {
  const loaded = await loadBenchmarks(await readSpecFile(path));
  return [...loaded].map(([name, { tasks }]) => ({ name, known: null, load: () => Promise.resolve(tasks) }));
}

async function check(sets: readonly CheckedSet[], terminal: Terminal): Promise<ExitStatus> {
  const box = await openSandbox('auto');
  const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
  const checked = [];
  try {
    for (const { name, known, load } of sets) {
      const tasks = await load();
      let done = 0;
      const ceilings = await measureCeilings({ box, cache }, tasks, () =>
        terminal.progress(`${name}: ${++done} of ${tasks.length} tasks`),
      );
      for (const ceiling of ceilings) terminal.out(ceilingText(name, ceiling, known?.[ceiling.suite]));
      checked.push({ name, ceilings });
    }
  } finally {
    await box.close();
  }
  terminal.document({ sandbox: { tier: box.tier, engine: box.engine }, checked });
  return exitStatus.done;
}

function ceilingText(
  name: string,
  { suite, passes, tasks, failing, partlyJudged }: Ceiling,
  known: Readonly<Record<string, readonly number[]>> | undefined,
): string {
  const reasons = new Map(
    Object.entries(known ?? {}).flatMap(([reason, numbers]) => numbers.map((number) => [number, reason] as const)),
  );
  const without = failing.filter(({ outcome }) => outcome === 'not_run').map(({ taskId }) => taskId);
  const failed = failing.filter(({ outcome }) => outcome !== 'not_run');
  const lines = failed.map(({ taskId, outcome, firstFailingCase }) => {
    const reason = reasons.get(numberOf(taskId)) ?? (known === undefined ? '' : 'newly failing');
    const place = firstFailingCase === null ? '' : ` in case ${firstFailingCase}`;
    return `  ${taskId}: ${outcome}${place}${reason === '' ? '' : ` (${reason})`}`;
  });
  const numbers = new Set(failing.map(({ taskId }) => numberOf(taskId)));
  const better = [...reasons.keys()]
    .filter((number) => !numbers.has(number))
    .map((number) => `  ${number}: passes, although listed as failing`);
  return [
    `${name} ${suite}: ${passes} of ${tasks} references pass`,
    ...lines,
    ...(without.length === 0 ? [] : [`  no output, so the task counts for no model: ${without.join(', ')}`]),
    ...partlyJudged.map(partlyJudgedText),
    ...better,
  ].join('\n');
}

const partlyJudgedText = ({ taskId, cases, judgedCases }: PartlyJudged): string =>
  `  ${taskId}: its reference gives no output for the last ${cases - judgedCases} of ${counted(cases, 'case')}: ` +
  'these are excluded, and answers are judged on the others';

const numberOf = (taskId: string): number => Number(/\d+$/.exec(taskId)?.[0]);
