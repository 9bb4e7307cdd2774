/** `explain` on a finished run of every kind of study, which an earlier version made. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunDatabase, openRun } from '../../analysis/database.ts';
import { findRow } from '../../analysis/explain/find-row.ts';
import { parseAddress } from '../../analysis/explain/address.ts';
import { records } from '../../analysis/records.ts';
import { explainRow } from '../../cli/commands/provenance/explain.ts';
import type { Terminal } from '../../cli/output/terminal.ts';
import { type Row, type Table, tables } from '../../schemas/tables.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import { studyViews } from '../../studies/answers.ts';

const whole = join(import.meta.dirname, '../integration/fixtures/version-0.1/whole.tar.gz');
let folder = '';
let runsDir = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-explain-'));
  runsDir = join(folder, 'runs');
  mkdirSync(runsDir);
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
  database = await openRun(join(runsDir, 'before'), { views: studyViews });
});
afterAll(() => database.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command writes: its lines, and its document. */
async function heardFrom(act: (terminal: Terminal) => Promise<unknown>) {
  const lines: string[] = [];
  const documents: unknown[] = [];
  const terminal: Terminal = {
    json: true,
    out: (line) => void lines.push(line),
    document: (value) => void documents.push(value),
    note: (line) => void lines.push(line),
    progress: () => {},
    flush: () => Promise.resolve(),
  };
  expect(await act(terminal)).toBe(0);
  return { text: lines.join('\n'), document: documents[0] };
}

const asked = (sql: string): Promise<Row[]> => records(database, sql);

interface Document {
  readonly row: Row | null;
  readonly more: number;
  readonly answers: readonly {
    readonly address: string;
    readonly sample: Row;
    readonly parent: string | null;
    readonly record: { readonly taskId: string; readonly reference: string } | null;
    readonly verdicts: readonly Row[];
  }[];
}

const explained = async (...words: readonly string[]) => {
  const { text, document } = await heardFrom((terminal) =>
    explainRow('before', words, { runsDir, most: '5' }, terminal),
  );
  return { text, ...(document as Document) };
};
const faultOf = async (...words: readonly string[]): Promise<string> =>
  explained(...words).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );

test('an address of table answers names that answer alone', async () => {
  const answers = await asked(
    'select address, samples.* from answers join samples using ' +
      `(${[...cellKeyNames, 'loop', 'step', 'ask', 'sample'].join(', ')}) using sample 4`,
  );
  expect(answers).toHaveLength(4);
  for (const { address, ...sample } of answers) {
    const found = await explained(String(address));
    expect(found).toMatchObject({ more: 0, answers: [{ address, sample }] });
    expect(found.answers[0]?.record?.taskId).toBe(sample['task_id']);
  }
}, 60_000);

test('a link of the report names a cell, by a hash of its key', async () => {
  const [cell = {}] = await asked(
    `select ${cellKeyNames.join(', ')}, count(*)::int as n from samples where study = 'moods' group by all
      having n > 1 limit 1`,
  );
  const key = JSON.stringify(cellKeyNames.map((column) => cell[column]));
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  for (const link of [`#x-${id}`, `x-${id}`, `file:///tmp/report.html#x-${id}`, `#x-${id}.1~${id}.2`]) {
    const { answers, more } = await explained(link);
    expect(answers.length + more).toBe(cell['n']);
  }
});

test('a row of any table is named by its key', async () => {
  let known = 0;
  for (const { name, key } of Object.values(tables) as readonly Table[]) {
    const [row] = await asked(`from ${name} limit 1`);
    if (row === undefined) continue;
    known += 1;
    const words = [name, ...key.map((column) => `${column}=${String(row[column])}`)];
    const named = await findRow(database, parseAddress(words));
    expect([name, named.row]).toEqual([name, row]);
    await asked(`select count(*) from samples where ${named.answersWhere}`);
  }
  expect(known).toBeGreaterThan(30);
}, 120_000);

test('the answers behind a row agree with it', async () => {
  const [execution = {}] = await asked(
    `select execution_id, count(distinct (${cellKeyNames.join(', ')}, loop, step, sample))::int as n
      from verdicts where outcome = 'wrong_output' group by all order by n desc, execution_id limit 1`,
  );
  const byExecution = await explained('executions', `execution_id=${String(execution['execution_id'])}`);
  expect(byExecution.answers.length + byExecution.more).toBe(execution['n']);
  const [{ n } = { n: 0 }] = await asked(
    "select count(*)::int as n from samples where study = 'loops' and model = 'steady'",
  );
  const byModel = await explained('asl', 'model=steady');
  expect(byModel.answers.length + byModel.more).toBe(n);
});

test('a prompt made from an answer names it', async () => {
  const { answers } = await explained(
    'samples',
    ...['study=loops', 'step=summarize', 'loop=1', 'model=steady'],
    'task_id=Starter/4',
  );
  const [{ parent, sample } = { parent: null, sample: {} as Row }] = answers;
  const made = await explained(String(parent));
  expect(made.answers[0]?.sample).toMatchObject({ step: sample['parent_step'], loop: sample['parent_loop'] });
});

test('what an earlier version did not record is said so', async () => {
  const { text } = await explained(
    'samples',
    'study=loops',
    'step=generate',
    'loop=1',
    'model=steady',
    'task_id=Starter/4',
  );
  expect(text).toContain('request id not recorded, headers not recorded');
  expect(text).toContain('evenkeel not recorded');
});

test('unknown and ambiguous addresses are refused with candidates, which are addresses', async () => {
  expect(await faultOf('smaples')).toContain('did you mean "samples"');
  expect(await faultOf('samples', 'tsak_id=Starter/4')).toContain('did you mean "task_id"');
  expect(await faultOf('asl', 'model=stedy')).toContain('did you mean "steady"');
  expect(await faultOf('x-000000000000')).toContain('no finished cell');
  expect(await faultOf('samples', 'loop')).toContain('must be column=value');
  const [first = ''] = await asked('select address from answers limit 1').then((rows) =>
    rows.map((row) => String(row['address'])),
  );
  expect(await faultOf(`${first.split('/')[0]}/generate/77`)).toContain(first);
  const [, ...candidates] = (await faultOf('verdicts', 'outcome=wrong_output')).split('\n');
  expect(candidates).toHaveLength(10);
  for (const candidate of candidates) {
    const { row } = await findRow(database, parseAddress(candidate.trim().split(' ')));
    expect(row).toMatchObject({ outcome: 'wrong_output' });
  }
}, 60_000);

test('the recorded reply and another one are judged as the run does', async () => {
  const words = ['samples', 'study=loops', 'step=generate', 'loop=1', 'model=drifting', 'task_id=Starter/41'];
  const { answers } = await explained(...words);
  const [answer] = answers;
  const judged = async (judge: string) =>
    (await heardFrom((terminal) => explainRow('before', words, { runsDir, most: '5', judge }, terminal))).document as {
      verdicts: { suite: string; outcome: string }[];
    };
  const stored = answer?.verdicts.map(({ suite, outcome }) => ({ suite, outcome }));
  expect(stored?.length).toBeGreaterThan(0);
  expect((await judged('recorded')).verdicts.map(({ suite, outcome }) => ({ suite, outcome }))).toEqual(stored);
  const right = join(folder, 'right.txt');
  writeFileSync(right, `\`\`\`python\n${answer?.record?.reference ?? ''}\n\`\`\``);
  expect(new Set((await judged(right)).verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['pass']));
  const refused = join(folder, 'refused.json');
  writeFileSync(refused, JSON.stringify({ error: { message: 'no such model' } }));
  await expect(judged(refused)).rejects.toThrow('no such model');
  // Red before: an unexpected failure with a stack trace.
  await expect(judged(folder)).rejects.toThrow(/--judge {2}is a folder; expected a file/);
}, 60_000);

// Red before: "exception, case 1 failed: ValueError:", and nothing more.
test('an exception whose text is only control characters is shown with its escapes', async () => {
  const words = ['samples', 'study=loops', 'step=generate', 'loop=1', 'model=drifting', 'task_id=Starter/41'];
  const { answers } = await explained(...words);
  const entryPoint = /def (\w+)/.exec(answers[0]?.record?.reference ?? '')?.[1];
  const judge = join(folder, 'controls.txt');
  writeFileSync(
    judge,
    `\`\`\`python\ndef ${entryPoint}(*_):\n    raise ValueError('\\x1b[2J\\x07\\x9b\\u202e\\t')\n\`\`\``,
  );
  const { text } = await heardFrom((terminal) => explainRow('before', words, { runsDir, most: '5', judge }, terminal));
  const ends = [...text.matchAll(/^verdict .*ValueError: (.*)$/gm)].map(([, end]) => end);
  expect(new Set(ends)).toEqual(new Set([String.raw`\x1b[2J\x07\x9b\u202e\x09`]));
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
}, 60_000);
