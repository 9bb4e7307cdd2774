/**
 * Every export format meets the same demands: repeated exports are equal, and a reader can read them. Readers of other
 * tools are in test/soak/exchange.test.ts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { type ExportFormatName, exportFormats } from '../../../activities/exchange/export-formats.ts';
import type { ExportFormat } from '../../../activities/exchange/exports/export-format.ts';
import type { ImportFormatName } from '../../../activities/exchange/imports/import-formats.ts';
import { checkRecording } from '../../../activities/providers/replay.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import { createRuns, type Runs } from '../../../activities/runs/runs.ts';
import { openRun } from '../../../analysis/database.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { variantLineSchema } from '../../../schemas/variant.ts';
import { studyViews } from '../../../studies/answers.ts';
import { studyOf } from '../../../studies/index.ts';
import { readLabels } from '../../../studies/labels/sample.ts';
import { imported } from '../../activities/exchange/imports/reading.ts';
import { runCommand } from '../../support/command.ts';

const spec = `name: whole
models: [{ id: sim, provider: simulated }, { id: labels, provider: simulated, study: false }]
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 2 } } }
studies:
  - { name: moods, kind: promptse, benchmark: b, settings: { samples: 1, variants: 1 } }
  - { name: detail, kind: specificity, benchmark: b, settings: { wordLimits: [10], draws: 1, labeller: labels } }
`;

let folder = '';
let runs: Runs;
let run: Run;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-exports-'));
  writeFileSync(join(folder, 'whole.yaml'), spec);
  const { status, output } = await runCommand(['run', join(folder, 'whole.yaml'), '--runs-dir', join(folder, 'runs')]);
  expect(status, output).toBe(0);
  runs = createRuns({ runsDir: join(folder, 'runs'), accounts: createAccounts(null) });
  const { uuid } = JSON.parse(readFileSync(join(folder, 'runs', 'whole', 'manifest.json'), 'utf8')) as { uuid: string };
  run = await runs.open({ runId: 'whole', uuid, epoch: 0 });
});
afterAll(async () => {
  await runs?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const of = <Kind extends ExportFormat['kind']>(kind: Kind) =>
  (Object.entries(exportFormats) as [ExportFormatName, ExportFormat][]).filter(
    (entry): entry is [ExportFormatName, ExportFormat & { kind: Kind }] => entry[1].kind === kind,
  );

/** The reader of each of evenkeel's own formats. */
const readers: Readonly<Record<string, (file: string, lines: readonly string[]) => unknown>> = {
  replay: async (file) => expect((await checkRecording(file)).simulated).toBe(true),
  variants: (_file, lines) => {
    for (const line of lines)
      expect(variantLineSchema.parse(JSON.parse(line))).toMatchObject({ task_id: expect.any(String) });
  },
  // No line is labelled yet; a labelled line is read back.
  'label-sample': (file, lines) => {
    const detail = run.spec.studies[1];
    const taxonomy = () => detail && studyOf(detail).labels?.taxonomy(detail);
    expect(readLabels(lines.join('\n'), file, taxonomy)).toEqual([]);
    const [line = ''] = lines;
    const { choices } = JSON.parse(line) as { choices: string[] };
    const labelled = JSON.stringify({ ...JSON.parse(line), themes: [choices[0]] });
    expect(readLabels(labelled, file, taxonomy)).toMatchObject([{ study: 'detail' }]);
  },
};

const documents = ['studies/promptse.md', 'studies/specificity.md', 'providers.md', 'exchange.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8'),
);

test.each(of('replies'))('%s: exports are equal and can be read', async (name, format) => {
  const write = await format.load();
  const written = async () => {
    const lines: string[] = [];
    for await (const line of write(run, null)) lines.push(line);
    return lines;
  };
  const lines = await written();
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toBe(`${JSON.stringify(JSON.parse(line))}\n`);
  expect(await written()).toEqual(lines);
  expect(lines.length).toBe(new Set(lines).size);
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, lines.join(''));
  await readers[name]?.(
    file,
    lines.map((line) => line.trimEnd()),
  );
});

const samplesIn = async (format: ImportFormatName, file: string): Promise<number> =>
  (await imported(format, file)).samples;

/** The number of answers in an exported file of another tool's format. */
const others: Readonly<Record<string, (file: string) => Promise<number> | number>> = {
  inspect: (file) => samplesIn('inspect', file),
  evalplus: (file) => samplesIn('evalplus', file),
  'evalplus-results': (file) => samplesIn('evalplus', file),
  csv: (file) => samplesIn('csv', file),
  junit: (file) => [...readFileSync(file, 'utf8').matchAll(/<testcase /g)].length,
  'every-eval-ever': (file) => readFileSync(file, 'utf8').trim().split('\n').length,
  parquet: async (file) => {
    const connection = await (await DuckDBInstance.create()).connect();
    const read = await connection.runAndReadAll(`SELECT count(*)::INT FROM '${file}' WHERE outcome IS NOT NULL`);
    return Number(read.getRows()[0]?.[0]);
  },
};
const extension: Readonly<Record<string, string>> = { 'evalplus-results': 'json', evalplus: 'jsonl', inspect: 'eval' };

/** Exports study moods of model sim as the command does; the bytes of the file, or of the file in the folder. */
async function exported(format: string, to: string): Promise<{ file: string; bytes: Buffer }> {
  const out = join(folder, `${to}.${extension[format] ?? format}`);
  const one = format === 'latex' ? [] : ['--study', 'moods', '--model', 'sim'];
  const args = ['export', 'whole', '--runs-dir', join(folder, 'runs'), '--format', format, '--out', out, ...one];
  const end = await runCommand(args);
  expect(end.status, end.output).toBe(0);
  const [inside] = statSync(out).isDirectory() ? globSync('data/**/*.jsonl', { cwd: out }) : [];
  const file = inside === undefined ? out : join(out, inside);
  return { file, bytes: readFileSync(file) };
}

test.each(Object.keys(others))('%s: exports are equal and hold every judged answer', async (name) => {
  const database = await openRun(join(folder, 'runs', 'whole'), { views: studyViews });
  const sql = "SELECT count(*)::INT FROM answers WHERE study = 'moods' AND outcome IS NOT NULL";
  const { rows } = await database.query(sql);
  database.close();
  const { file, bytes } = await exported(name, 'first');
  expect(Number(rows[0]?.[0])).toBeGreaterThan(3);
  expect(await others[name]?.(file)).toBe(rows[0]?.[0]);
  expect((await exported(name, 'second')).bytes.equals(bytes)).toBe(true);
});

test('LaTeX holds the tables of the report', async () => {
  const { bytes } = await exported('latex', 'tables');
  expect(bytes.toString()).toMatch(/\\begin\{tabular\}|\\begin\{longtable\}/);
});

test('every format is documented, and a run with several studies needs one to be named', async () => {
  for (const name of Object.keys(exportFormats)) expect(documents.join('\n')).toContain(`--format ${name}`);
  const end = await runCommand([
    ...['export', 'whole', '--runs-dir', join(folder, 'runs'), '--format', 'inspect', '--out', join(folder, 'x.eval')],
  ]);
  expect([end.status, end.output]).toEqual([2, expect.stringContaining('--study  is required: one of detail, moods')]);
});
