/** The command on a finished run of every kind of study, which an earlier version made. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, type CompareOptions } from '../../cli/commands/compare.ts';
import { query } from '../../cli/commands/query.ts';
import type { Terminal } from '../../cli/output/terminal.ts';
import { runCommand } from '../support/command.ts';

const program = join(import.meta.dirname, '../../bin/evenkeel.mjs');
const whole = join(import.meta.dirname, '../integration/fixtures/version-0.1/whole.tar.gz');
let folder = '';
let runsDir = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-compare-'));
  runsDir = join(folder, 'runs');
  mkdirSync(runsDir);
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Heard {
  readonly terminal: Terminal;
  readonly lines: string[];
  readonly documents: unknown[];
}

/** Keeps what a command writes. */
function listening(): Heard {
  const heard = { lines: [] as string[], documents: [] as unknown[] };
  return {
    ...heard,
    terminal: {
      json: true,
      out: (text) => void heard.lines.push(text),
      document: (value) => void heard.documents.push(value),
      note: (line) => void heard.lines.push(line),
      progress: () => {},
      flush: () => Promise.resolve(),
    },
  };
}

interface Document {
  readonly models: readonly { readonly letters: string }[];
  readonly pairs: readonly { readonly study: string; readonly metric: string; readonly variant: string | null }[];
}

async function compared(
  more: Partial<CompareOptions>,
): Promise<{ readonly text: string; readonly document: Document }> {
  const { terminal, lines, documents } = listening();
  const options = { runsDir, by: 'task', margin: '0', alpha: '0.05', ...more };
  expect(await compare(['before'], options, terminal)).toBe(0);
  return { text: lines.join('\n'), document: documents[0] as Document };
}

async function asked(saved: string, sql?: string): Promise<unknown> {
  const { terminal, documents } = listening();
  await query(sql === undefined ? [saved] : [saved, sql], { runsDir, limit: '1000' }, terminal);
  return documents[0];
}

/** Names, sizes and times of all files of the run. */
const runFiles = (): string =>
  execFileSync('find', [runsDir, '-type', 'f', '-printf', '%p %s %T@\n'], { encoding: 'utf8' });

test('every study kind is compared in its own metrics; results can be queried; the run stays as it was', async () => {
  const before = runFiles();
  const saved = join(folder, 'saved');
  const { document } = await compared({ save: saved });
  expect([...new Set(document.pairs.map(({ study }) => study))]).toEqual([
    ...['loops', 'chain', 'moods', 'phrasings', 'update', 'ways', 'detail'],
  ]);
  expect([...new Set(document.pairs.map(({ metric }) => metric))].toSorted()).toEqual([
    ...['asl_unweighted', 'auc_e_excess', 'auc_e_normalized', 'chain_score', 'pass_at_1', 'pass_at_detail'],
    'sufficient_detail',
  ]);
  expect(readdirSync(saved).toSorted()).toEqual([
    ...['compared_agreement.parquet', 'compared_cards.parquet', 'compared_models.parquet', 'compared_pairs.parquet'],
    ...['compared_tasks.parquet', 'comparison.json'],
  ]);
  expect(await asked(saved, 'select count(*)::int as n from compared_pairs')).toMatchObject({
    rows: [[document.pairs.length]],
  });
  expect(await asked(saved)).toMatchObject({ rows: expect.arrayContaining([['compared_models', expect.anything()]]) });
  // A second comparison replaces the first.
  const { document: fewer } = await compared({ save: saved, study: 'chain' });
  expect(await asked(saved, 'select count(*)::int as n from compared_pairs')).toMatchObject({
    rows: [[fewer.pairs.length]],
  });
  expect(runFiles()).toBe(before);
});

// Red before: "are not finished", although `status` counts finished cells of pages that are not.
test('of a run that goes on, compare and query say how many cells they lack', async () => {
  const going = join(folder, 'going');
  cpSync(runsDir, going, { recursive: true });
  const path = join(going, 'before/manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { plan: { cells: number }[]; sha256?: string };
  const [first = { cells: 0 }] = manifest.plan;
  first.cells += 3;
  delete manifest.sha256;
  writeFileSync(path, JSON.stringify(manifest));
  const { text } = await compared({ runsDir: going, study: 'loops' });
  expect(text).toMatch(/run before: 3 of \d+ cells are not compared: their pages are not finished/);
  const { terminal, lines } = listening();
  await query(
    ['before', 'select 1 as one'],
    { runsDir: going, limit: '1', format: 'text' },
    { ...terminal, json: false },
  );
  expect(lines.join('\n')).toMatch(
    /run before: 3 of \d+ cells are missing from these tables: their pages are not finished/,
  );
});

test.each(['html', 'md', 'csv', 'tex'])('all tables are written as %s', async (ending) => {
  const out = join(folder, `compared.${ending}`);
  await compared({ out, study: 'loops' });
  const text = readFileSync(out, 'utf8');
  for (const part of ['steady', 'drifting', 'INCONCLUSIVE', 'Letters']) expect(text).toContain(part);
});

test('a screen has the metrics, the models and the pairs, --all everything', async () => {
  const { text } = await compared({ study: 'phrasings' });
  for (const part of ['Inconclusive', 'Rank (interval)', 'Pairs, most decisive first', 'simulated: '])
    expect(text).toContain(part);
  expect(text.split('\n').length).toBeLessThan(60);
  const { text: all } = await compared({ study: 'phrasings', all: true });
  expect(all.match(/Pairs, most decisive first/g)?.length).toBeGreaterThan(1);
});

test('--by variant compares each phrasing separately', async () => {
  const { document } = await compared({ study: 'phrasings', by: 'variant' });
  const variants = new Set(document.pairs.map(({ variant }) => variant));
  expect(variants).not.toContain(null);
  expect(variants.size).toBeGreaterThan(1);
  // Red before: original; original, repetition 1; ... The paper has ten repetitions, which other tables count from 1.
  const repeated = [...variants].filter((variant) => /^(original|repetition)/.test(variant ?? ''));
  expect(new Set(repeated)).toEqual(new Set(Array.from({ length: 10 }, (_, index) => `repetition ${index + 1}`)));
});

test.each<[Partial<CompareOptions>, string]>([
  [{ metric: 'pass_at_2' }, 'no metric "pass_at_2"; did you mean "pass_at_1"?'],
  [{ by: 'model' }, 'must be task or variant; got "model"'],
  [{ alpha: '2' }, 'must be a number, from 0.000001 to 0.5; got "2"'],
  [{ margin: '-1' }, 'must be a number, at least 0; got "-1"'],
  [{ out: 'x.pdf' }, 'must end in .html, .md, .csv, .tex; got "x.pdf"'],
  // Red before: "nothing to compare: no study has two models that share a task".
  [{ models: 'steady' }, '--models  names one model, steady: name at least two, or further runs that have this model'],
])('%j is refused', async (more, message) => {
  await expect(compared(more)).rejects.toThrow(message);
});

test('a folder with other files is not overwritten', async () => {
  await expect(compared({ study: 'chain', save: join(runsDir, 'before') })).rejects.toThrow('holds other files');
});

// Red before: "holds other files", and the folder had to be removed by hand.
test('a comparison whose saving was cut off can be saved again', async () => {
  const saved = join(folder, 'cut-off');
  await compared({ study: 'chain', save: saved });
  rmSync(join(saved, 'comparison.json'));
  const { document } = await compared({ study: 'chain', save: saved });
  expect(await asked(saved, 'select count(*)::int as n from compared_pairs')).toMatchObject({
    rows: [[document.pairs.length]],
  });
});

// Red before: exit status 3, as for a run that can be continued.
test.runIf(existsSync('/dev/full'))('a comparison that a full disk keeps from being saved', async () => {
  const saved = join(folder, 'full');
  mkdirSync(saved);
  symlinkSync('/dev/full', join(saved, 'compared_pairs.parquet'));
  await expect(compared({ study: 'chain', save: saved })).rejects.toThrow(
    `${saved}  the disk is full: free some space, or choose another path`,
  );
});

// Red before: the folder hid the run, and its tables did not exist.
test('a saved comparison with the name of a run does not hide the run', async () => {
  await compared({ study: 'chain', save: join(folder, 'before') });
  const queried = (name: string, table: string) =>
    spawnSync(
      process.execPath,
      [program, 'query', name, `select count(*) > 0 as found from ${table}`, '--runs-dir', runsDir],
      { cwd: folder, encoding: 'utf8' },
    );
  const run = queried('before', 'loops');
  expect([run.status, run.stdout, run.stderr]).toEqual([
    0,
    expect.stringContaining('true'),
    'note: the folder before holds a saved comparison, too: write ./before for that\n',
  ]);
  expect(queried('./before', 'compared_pairs')).toMatchObject({ status: 0, stderr: '' });
});

test('a saved comparison that was changed is noticed', async () => {
  const saved = join(folder, 'spoilt');
  await compared({ study: 'chain', save: saved });
  copyFileSync(join(saved, 'compared_pairs.parquet'), join(saved, 'compared_models.parquet'));
  await expect(asked(saved)).rejects.toThrow('compared_models.parquet: missing or changed');
});

test('from the command line: one JSON document, and a wrong name ends with 2', async () => {
  const end = await runCommand(['compare', 'before', '--runs-dir', runsDir, '--study', 'chain', '--json']);
  expect([end.status, Object.keys(JSON.parse(end.stdout) as object)]).toEqual([
    0,
    ['runs', 'models', 'pairs', 'cards', 'card_agreement', 'sentences', 'notes'],
  ]);
  const wrong = await runCommand(['compare', 'before', '--runs-dir', runsDir, '--models', 'steadi']);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "steady"?')]);
});

// Red before: nothing was said, as if two runs had been compared.
test('a run that is named twice is compared once, and that is said', async () => {
  const end = await runCommand(['compare', 'before', 'before', '--runs-dir', runsDir, '--study', 'chain', '--json']);
  expect((JSON.parse(end.stdout) as { runs: unknown }).runs).toEqual(['before']);
  expect(end.stderr).toContain('note: named twice, and compared once: before\n');
});
