/** Outputs that would take the place of a run's own files, or of another option's. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkOutputs } from '../../cli/faults/output-faults.ts';
import { writeSampleRun } from '../analysis/sample-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let run: string;

beforeEach(async () => {
  folder = temporaryFolder();
  run = join(folder, 'small');
  await writeSampleRun(
    run,
    {
      ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
      models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
    },
    { seals: { 'report.html': null } },
  );
  mkdirSync(join(folder, 'no-manifest'));
  writeFileSync(join(folder, 'no-manifest', 'ledger.sqlite'), 'SQLite format 3');
  // As `sqlite3` leaves it for a wrong name: not a run around everything below.
  writeFileSync(join(folder, 'ledger.sqlite'), '');
  mkdirSync(join(folder, 'site'));
  writeFileSync(join(folder, 'site', 'manifest.json'), '{"name": "a web page"}');
  symlinkSync(run, join(folder, 'link'));
});

const check = (verb: string, options: Readonly<Record<string, string>>, own: string | null = null) =>
  checkOutputs(
    verb,
    Object.entries(options).map(([field, path]) => ({ field, path: path.startsWith('/') ? path : join(folder, path) })),
    own,
  );

test.each([
  ['its manifest', 'query', 'small/manifest.json'],
  ['its ledger', 'export', 'small/ledger.sqlite'],
  ['the log of its ledger', 'export', 'small/ledger.sqlite-wal'],
  ['its views', 'compare', 'small/views.sql'],
  ['a file next to those of a table, which would be read as its rows', 'query', 'small/asl/mine.parquet'],
  ['a file of its inputs', 'export', 'small/inputs/spec.json'],
  ['its sealed report, by another verb', 'compare', 'small/report.html'],
  ['its ledger, through a link', 'query', 'link/ledger.sqlite'],
  ['the ledger of a run that lost its manifest', 'query', 'no-manifest/ledger.sqlite'],
])('refuses %s', async (_what, verb, path) => {
  await expect(check(verb, { '--out': path })).rejects.toThrow(
    /--out {2}is a file of the run in .*, which would be damaged: name one outside that folder/,
  );
});

test('refuses the report of another run, and a log over a ledger', async () => {
  await expect(check('report', { '--out': 'small/report.html' }, join(folder, 'other'))).rejects.toThrow('is a file');
  await expect(check('simulate', { '--log': 'small/ledger.sqlite' })).rejects.toThrow('is a file of the run');
});

// Red before: a file of the name "-" in the current folder.
test('refuses "-", which elsewhere means standard output', async () => {
  await expect(checkOutputs('export', [{ field: '--out', path: resolve('-') }], null)).rejects.toThrow(
    '--out  would be a file of the name "-": name /dev/stdout for standard output, or a file',
  );
});

test.each([
  ['the run’s own report', 'report', { '--out': 'small/report.html' }],
  ['a report of another name in its folder', 'report', { '--out': 'small/mine.html' }],
  ['a new file in its folder', 'query', { '--out': 'small/rows.csv' }],
  ['a file beside the runs', 'query', { '--out': 'rows.csv' }],
  ['a folder with a manifest of another program', 'query', { '--out': 'site/manifest.json' }],
  ['a folder that does not exist', 'query', { '--out': 'no/such/rows.csv' }],
  ['one device for two', 'gate', { '--markdown': '/dev/null', '--junit': '/dev/null' }],
  ['two inputs that are one file', 'schedule', { '--spec': 'a.yaml', '--policy': 'a.yaml' }],
])('allows %s', async (_what, verb, options) => {
  await expect(check(verb, options, run)).resolves.toBeUndefined();
});

test('refuses one file for two options', async () => {
  await expect(check('gate', { '--policy': 'p.yaml', '--junit': 'small/../p.yaml' })).rejects.toThrow(
    `${join(folder, 'p.yaml')}  --junit  is the file that --policy names, which would be lost: name another`,
  );
});
