/**
 * A run of every kind of study that version 0.1 made, as it left it when it was killed half way (`half`) and at its
 * end (`whole`, the same run resumed by the same version). Both were made at commit f530d3b, the last before the
 * rooms of the studies were put in order, with `EVENKEEL_SANDBOX=embedded` and the spec next to them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { costPerSolvedMethod, earlierCostMethods } from '../../domain/metrics/cost-per-solved.ts';
import { inFull, long } from '../support/forms/long.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { stableRows } from '../support/stable-rows.ts';
import { type Table, tables } from '../../schemas/tables.ts';

const fixtures = join(import.meta.dirname, 'fixtures/version-0.1');
let deployment: Deployment;
let truth: Awaited<ReturnType<typeof stableRows>>;

beforeAll(async () => {
  deployment = await openDeployment({ EVENKEEL_SANDBOX: 'embedded' });
  for (const name of ['before.yaml', 'starter.jsonl', 'python.jsonl'])
    cpSync(join(fixtures, name), join(deployment.folder, name));
  truth = await stableRows(unpacked('whole', 'truth'));
});
afterAll(() => deployment?.close());

/** Copies the run into its own runs directory, `in` the deployment's folder; returns the run's folder. */
function unpacked(fixture: 'half' | 'whole', into: string): string {
  const runsDir = join(deployment.folder, into);
  mkdirSync(runsDir, { recursive: true });
  execFileSync('tar', ['-xzf', join(fixtures, `${fixture}.tar.gz`), '-C', runsDir]);
  return join(runsDir, 'before');
}

const kinds = [
  'evaloop',
  'evaloop-translation',
  'promptse',
  'robunfr-prompts',
  'robunfr-regression',
  'robunfr-workflows',
  'specificity',
];

test('the fixture has every kind of study that version 0.1 had', () => {
  const spec = readFileSync(join(fixtures, 'before.yaml'), 'utf8');
  expect(new Set([...spec.matchAll(/kind: ([\w-]+)/g)].map(([, kind]) => kind))).toEqual(new Set(kinds));
});

/** Tables that version 0.1 did not have: a run that ends now has rows in them. */
const newTables = new Set(['variance_parts', 'nfr_stdev_parts', 'cards', 'card_agreement']);
const withoutNewTables = (rows: typeof truth): typeof truth =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !newTables.has(table)));

/**
 * Columns that version 0.1 did not have. Without a judging rule the hash is the record's. Of each suite all cases
 * count: its numbers are equal. The hashes of a suite's tests and of a task's problem are left out. All loops could be
 * judged. All tasks that count have a noise floor: column `n_floor` is `n`.
 */
const withoutNewColumns = (rows: typeof truth): typeof truth => ({
  ...rows,
  suites: (rows['suites'] ?? []).map((line) => line.replace(/,(\d+),\1,"[0-9a-f]{64}",/, ',$1,null,null,')),
  tasks: (rows['tasks'] ?? []).map((line) => line.replace(/"([0-9a-f]{64})","\1","[0-9a-f]{64}"]$/, '"$1",null,null]')),
  loop_ranks: (rows['loop_ranks'] ?? []).map((line) =>
    line.replace(/,0,null(,[\d.]+,[\d.]+,"places: )/, ',null,null$1'),
  ),
  auc_e: (rows['auc_e'] ?? []).map((line) => {
    const values = JSON.parse(line) as unknown[];
    const [n = -1, nFloor = -1] = ['n', 'n_floor'].map((name) => Object.keys(tables.auc_e.columns).indexOf(name));
    return JSON.stringify(values.with(nFloor, values[nFloor] === values[n] ? null : values[nFloor]));
  }),
});

/** The order of additions may change the last digits of an interval. */
const rounded = (rows: typeof truth): typeof truth => eachLine(rows, roundedLine);
const roundedLine = (line: string): string =>
  line.replace(/-?\d+\.\d{8,}(?:e[-+]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(9))));

/**
 * What version 0.1 wrote, and what is written now. Shares of 0 to 100 deviate by 50 points at most, and the mean of
 * two models' deviations, each measured as 0 and at most 50, by 50 / sqrt(2): version 0.1 went beyond both. Of costs
 * only the method's name is compared.
 */
const changedSince = [
  [',564.097252', ',50'],
  [',398.876992', ',35.3553391'],
  ['need the container sandbox', 'need bubblewrap or a container engine'],
  [earlierCostMethods[0], costPerSolvedMethod],
  // Where all tasks change alike, no smallest difference that could be seen is known.
  ['"sign_flip",1,null,null,null,0,0,', '"sign_flip",1,null,null,null,null,0,'],
  // With squares no chain passes its last step only: its drop is at least 0.
  [',0,-0.707598226,0.707598226,', ',0,0,0.707598226,'],
] as const;
const asOfNow = (line: string): string =>
  changedSince.reduce((text, [before, now]) => text.replaceAll(before, now), line);

const eachLine = (rows: typeof truth, change: (line: string) => string): typeof truth =>
  Object.fromEntries(Object.entries(rows).map(([table, lines]) => [table, lines.map(change).toSorted()]));

/** Light floors, which version 0.1 had too high where answers are few, and the excess over them, are not compared. */
const withoutLightFloors = (rows: typeof truth): typeof truth => {
  const without = ({ columns }: Table, line: string): string => {
    if (!line.includes('"light"')) return line;
    const values = JSON.parse(line) as unknown[];
    const names = Object.keys(columns);
    return JSON.stringify(values.map((value, place) => (/floor|excess/.test(names[place] ?? '') ? null : value)));
  };
  const changed = [tables.elasticity, tables.auc_e].map((table) => [
    table.name,
    (rows[table.name] ?? []).map((line) => without(table, line)).toSorted(),
  ]);
  return { ...rows, ...Object.fromEntries(changed) };
};

/** Version 0.1 gave the change of Function-Only from itself, which is 0, an interval. */
const withoutOwnIntervals = (rows: typeof truth): typeof truth => {
  const without = ({ columns }: Table, line: string): string => {
    if (!line.includes('"function-only","function-only"')) return line;
    const values = JSON.parse(line) as unknown[];
    const names = Object.keys(columns);
    return JSON.stringify(values.map((value, place) => (names[place]?.startsWith('delta_percent_') ? null : value)));
  };
  const changed = [tables.nfr_summary, tables.nfr_workflows].map((table) => [
    table.name,
    (rows[table.name] ?? []).map((line) => without(table, line)).toSorted(),
  ]);
  return { ...rows, ...Object.fromEntries(changed) };
};

test('a half-done run is resumed and gets the rows of version 0.1 to nine digits, but for what is named', async () => {
  const folder = unpacked('half', 'resumed');
  const end = await deployment.evenkeel('resume', 'before', '--runs-dir', join(deployment.folder, 'resumed'));
  expect(end.status, end.output).toBe(0);
  const rows = await stableRows(folder);
  expect(withoutLightFloors(rounded(withoutNewColumns(withoutNewTables(rows))))).toEqual(
    withoutLightFloors(withoutOwnIntervals(eachLine(rounded(withoutNewTables(truth)), asOfNow))),
  );
  // Of 9 answers to Starter/5, 7 passed of model drifting and 8 of steady, of the first three 2; all others passed.
  const excess = (rows['auc_e'] ?? []).flatMap((line) => {
    const values = JSON.parse(line) as unknown[];
    return line.includes('"light"') ? [values[Object.keys(tables.auc_e.columns).indexOf('auc_e_excess')]] : [];
  });
  expect(excess).toEqual([-1 / 18, -1 / 9].map((one) => expect.closeTo(((2 / 3) * one) / 4, 9)));
});

long(
  `a finished run is verified, queried, reported in every format and resumed without a change${inFull}`,
  async () => {
    const folder = unpacked('whole', 'finished');
    const runsDir = join(deployment.folder, 'finished');
    const inRuns = (...args: readonly string[]): Promise<CommandEnd> =>
      deployment.evenkeel(...args, '--runs-dir', runsDir);
    for (const verb of ['verify', 'resume', 'status']) {
      const end = await inRuns(verb, 'before');
      expect(end.status, end.output).toBe(0);
    }
    const { stdout } = await inRuns('query', 'before', 'select count(*)::int from samples', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rows: [[truth['samples']?.length]] });
    for (const format of ['html', 'md', 'csv', 'tex', 'json']) {
      const out = join(deployment.folder, `before.${format}`);
      const end = await inRuns('report', 'before', '--format', format, '--out', out);
      expect(end.status, end.output).toBe(0);
      expect(existsSync(out)).toBe(true);
    }
    expect(await stableRows(folder)).toEqual(truth);
  },
);

long(`a run is extended with a model: earlier rows stay, and every study has the new model${inFull}`, async () => {
  const folder = unpacked('whole', 'extended');
  const spec = readFileSync(join(fixtures, 'before.yaml'), 'utf8').replace(
    'benchmarks:',
    '  - { id: third, provider: simulated, profile: weak }\nbenchmarks:',
  );
  const larger = deployment.write('larger.yaml', spec);
  const inRuns = (...args: readonly string[]): Promise<CommandEnd> =>
    deployment.evenkeel(...args, '--runs-dir', join(deployment.folder, 'extended'));
  const end = await inRuns('run', larger);
  expect(end.status, end.output).toBe(0);
  const rows = await stableRows(folder);
  for (const table of ['samples', 'verdicts', 'prompts']) {
    expect(rows[table], table).toEqual(expect.arrayContaining(truth[table] ?? []));
    expect(rows[table]?.length, table).toBeGreaterThan(truth[table]?.length ?? 0);
  }
  const studies = `select count(distinct study)::int from samples where model = 'third'`;
  const { stdout } = await inRuns('query', 'before', studies, '--json');
  // All but the comparison of two versions, which is of the pair that it names.
  expect(JSON.parse(stdout)).toMatchObject({ rows: [[kinds.length - 1]] });
});
