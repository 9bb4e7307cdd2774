/** Judges all of EVALOOP's published recordings again and compares with the scores that the authors published. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { openRun, type RunDatabase } from '../analysis/database.ts';
import { recordedDifferences } from '../studies/evaloop/results/recorded-loops.ts';
import { parseTrajectories } from '../studies/evaloop/trajectories.ts';
import { records } from '../analysis/records.ts';
import { quoteText } from '../analysis/views.ts';
import { InputError } from '../domain/errors.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import type { Row } from '../schemas/tables.ts';
import { saveTables, sourceOf } from './measured/save.ts';
import { type ModelResult, reproductionMarkdown, reproductionTables, type SuiteSeconds } from './reproduce/markdown.ts';

export interface ReproduceOptions {
  readonly recordings: string;
  readonly mbpp: string;
  readonly folder: string;
  readonly only?: string;
  readonly out?: string;
  /** A machine of bench/results/machines.json. */
  readonly save?: string;
}

/** With the folders of docs/reproductions.md, whatever folders this machine has. */
const command = 'npm run bench -- reproduce --recordings evalooop.github.io/assets/data --mbpp files/MbppPlus.jsonl.gz';

const runId = 'evaloop-recordings';

const published = z.object({ models: z.array(z.looseObject({ model_id: z.string(), aslScore: z.number() })) });

/** Throws if too few models are within the tolerance. */
export async function reproduce(options: ReproduceOptions, print: (line: string) => void): Promise<void> {
  const { save, only } = options;
  if (only !== undefined && save !== undefined)
    throw new InputError('needs all recordings; leave out --only', { field: '--save' });
  const source = save === undefined ? null : sourceOf(save, command);
  const folder = resolve(options.folder);
  const models = recordedModels(options);
  mkdirSync(folder, { recursive: true });
  const details = join(resolve(options.recordings), 'details');
  const isThere = (model: string): boolean => existsSync(join(folder, 'replies', `${model}.jsonl`));
  if (!models.every(isThere)) await evenkeel(['import', details, '--out', join(folder, 'replies')]);
  const spec = join(folder, `${runId}.json`);
  writeFileSync(spec, JSON.stringify(specOf(models, resolve(options.mbpp)), null, 2));
  await evenkeel(['run', spec, '--runs-dir', join(folder, 'runs')]);
  const database = await openRun([join(folder, 'runs', runId)]);
  try {
    const results = await resultsOf(database, models, options);
    const text = reproductionMarkdown(results);
    if (options.out !== undefined) writeFileSync(resolve(options.out), text);
    print(text);
    if (source !== null)
      for (const [name, table] of Object.entries(reproductionTables(results))) saveTables(name, [table], source);
  } finally {
    database.close();
  }
}

function recordedModels({ recordings, only }: ReproduceOptions): string[] {
  const wanted = only?.split(',');
  const files = readdirSync(join(recordings, 'details')).filter((name) => name.endsWith('.json'));
  const ids = files.map((name) => basename(name, '.json')).filter((id) => wanted?.includes(id) ?? true);
  if (ids.length === 0) throw new Error(`${recordings}: details/ has none of the requested recordings`);
  return ids.sort();
}

/**
 * The authors judged on a fast machine and without packages that some programs import. So the least time limit is 4 s,
 * as in EvalPlus 0.3.1, which a slow machine meets too, and a missing package is a failure. Twice the reference's time
 * is the authors' own rule.
 */
const judging = { caseLimitMs: 4000, referenceFactor: 2, missingPackage: 'failed' } as const;

const specOf = (models: readonly string[], mbpp: string) => ({
  name: runId,
  models: models.map((id) => ({ id, provider: 'replay', file: `replies/${id}.jsonl` })),
  benchmarks: { mbpp: { path: mbpp, format: 'mbpp-plus', judging } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', settings: { judge: 'none' } }],
});

async function resultsOf(database: RunDatabase, models: readonly string[], { recordings }: ReproduceOptions) {
  const scores = published.parse(JSON.parse(readFileSync(join(recordings, 'results.json'), 'utf8')));
  const rows = await records(database, 'SELECT model, asl_unweighted, n, n_excluded FROM asl');
  const results: ModelResult[] = [];
  for (const model of models) {
    const row = rows.find((one) => textOf(one, 'model') === model);
    const score = scores.models.find(({ model_id: id }) => id === model);
    if (row === undefined || score === undefined)
      throw new Error(`${model} has no ${row ? 'published score' : 'score in this run'}`);
    const file = join(recordings, 'details', `${model}.json`);
    const tasks = parseTrajectories(readFileSync(file, 'utf8'), file);
    const { differences: plain } = await recordedDifferences(database, model, tasks);
    const times = await passingTimes(database, model);
    const differences = plain.map((one) => ({
      ...one,
      seconds: times.get(`${one.taskId}/${one.recorded + 1}`) ?? null,
    }));
    const here = numberOf(row, 'asl_unweighted');
    const counts = { n: numberOf(row, 'n'), excluded: numberOf(row, 'n_excluded') };
    results.push({ model, published: score.aslScore, allowed: allowedAsl(tasks), here, ...counts, differences });
  }
  return results;
}

/** By task and loop: seconds of a passing program on its slowest suite, and of the reference on that suite. */
async function passingTimes(database: RunDatabase, model: string): Promise<Map<string, SuiteSeconds>> {
  const rows = await records(
    database,
    `SELECT v.task_id, v.loop, max(e.cpu_ms) / 1000 AS program, arg_max(s.reference_wall_ms,
      e.cpu_ms) / 1000 AS reference
     FROM verdicts v JOIN executions e USING (run, execution_id)
     JOIN suites s ON s.task_id = v.task_id AND s.suite = v.suite
     WHERE v.model = ${quoteText(model)} AND v.step = 'generate' GROUP BY ALL HAVING bool_and(v.outcome = 'pass')`,
  );
  const secondsOf = (row: Row): SuiteSeconds => ({
    program: numberOf(row, 'program'),
    reference: numberOf(row, 'reference'),
  });
  return new Map(rows.map((row) => [`${textOf(row, 'task_id')}/${numberOf(row, 'loop')}`, secondsOf(row)]));
}

/**
 * Range of ASL that the recorded counts allow, M = 10: with all similarities 1, and with all 0, where a task of l loops
 * has weight (l - 1) / l.
 */
function allowedAsl(tasks: readonly { readonly sustained: number }[]): ModelResult['allowed'] {
  const sumOf = (value: (loops: number) => number): number =>
    tasks.reduce((sum, { sustained }) => sum + value(sustained), 0) / (10 * tasks.length);
  return { high: sumOf((loops) => loops ** 2), low: sumOf((loops) => loops ** 2 - (loops < 10 ? loops : 0)) };
}

/** Runs the command as a user would; its output goes where this script's output goes. */
function evenkeel(args: readonly string[]): Promise<void> {
  const bin = join(import.meta.dirname, '..', 'bin', 'evenkeel.mjs');
  // Cached executions are fine here: verdicts are compared, not times.
  const { EVENKEEL_EXECUTION_CACHE: _off, ...env } = process.env;
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`evenkeel ${args[0]} ended with ${code}`))));
  });
}
