import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contextOf } from '../../../analysis/report/context.ts';
import { openRun } from '../../../analysis/database.ts';
import type { Report } from '../../../analysis/report/report.ts';
import { collectEvaloop, type EvaloopData } from '../../../studies/evaloop/report/data.ts';
import { collectReport } from '../../../studies/report.ts';
import { renderMarkdown } from '../../../analysis/report/text/report-markdown.ts';
import type { Examples } from '../../../analysis/report/examples.ts';
import { renderReport } from '../../../analysis/report/html/page.ts';
import type { Row } from '../../../schemas/tables.ts';
import { writeRun } from '../run-fixture.ts';
import { type SampleModel, type SampleRun, writeSampleRun } from '../sample-run.ts';

/** A report with EVALOOP's data at hand. */
type ReportData = Report & EvaloopData;

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-report-'));
  folders.push(folder);
  return folder;
}

async function reportOf(run: SampleRun): Promise<ReportData> {
  const folder = await newFolder();
  await writeSampleRun(folder, run);
  return collect(folder);
}

async function collect(folder: string): Promise<ReportData> {
  const database = await openRun(folder);
  const data = { ...(await collectReport(database)), ...(await collectEvaloop(database)) };
  database.close();
  return data;
}

const noExamples: Examples = { examples: [], of: 0, flips: 0 };

const steady: SampleModel = { id: 'steady', family: 'A', simulated: false, first: 0.9, later: 0.97 };
const brittle: SampleModel = { id: 'brittle', family: null, simulated: true, first: 0.7, later: 0.7 };
const complete: SampleRun = {
  runId: 'r',
  models: [brittle, steady],
  tasks: 60,
  maxLoops: 5,
  judge: 'judge-model',
  withAsl: true,
  missing: 0,
};

describe('a run of a real and a simulated model', () => {
  let data: ReportData;
  let page = '';
  beforeAll(async () => {
    data = await reportOf(complete);
    page = await renderReport(data, noExamples);
  });

  test('the board is ordered by ASL, the better model first', () => {
    expect(data.leaderboard.map((row) => row.model)).toEqual(['steady', 'brittle']);
  });

  test('every cell is a survivor or has an ending', () => {
    for (const { model, nSustained, n, nExcluded } of data.leaderboard) {
      const ended = data.endings.filter((ending) => ending.model === model).reduce((sum, { cells }) => sum + cells, 0);
      expect(ended + Number(nSustained.at(-1))).toBe(60);
      expect(n + nExcluded).toBe(60);
    }
  });

  test('cells that failed in the first loop are those with no sustained loop', () => {
    for (const { model, nSustained } of data.leaderboard) {
      const first = data.endings.filter(
        (ending) => ending.model === model && ending.loop === 1 && ending.reason !== 'no_summary' && !ending.excluded,
      );
      expect(first.reduce((sum, { cells }) => sum + cells, 0)).toBe(nSustained[0]);
    }
  });

  test('simulated rows are marked one by one and in a notice, real ones are not', () => {
    const rows = page.split('<tr>').filter((row) => row.includes('class="name"'));
    for (const row of rows) expect(row.includes('<span class="tag">simulated</span>')).toBe(row.includes('>brittle'));
    expect(rows.filter((row) => row.includes('>brittle')).length).toBeGreaterThanOrEqual(2);
    expect(page).toContain('<summary><b>Simulated</b> brittle</summary>');
    expect(page).toContain('In r: brittle.');
  });

  test('the page needs nothing from outside: no link, source or address but the SVG namespace', () => {
    expect(page).not.toMatch(/<link|<iframe|<img|\ssrc=|\shref="(?!#)|url\(|@import/);
    expect(page.replaceAll(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:/);
  });

  test('the content security policy allows exactly the one script of the page', () => {
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source]) => source ?? '');
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64');
    const styles = 'style-src &#39;unsafe-inline&#39;; img-src blob:';
    expect(page).toContain(`default-src &#39;none&#39;; ${styles}; script-src &#39;sha256-${hash}&#39;`);
    expect(page).not.toMatch(/\son[a-z]+=/);
  });

  test('missing values are never printed as words of JavaScript', () => {
    expect(page.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(/undefined|NaN|\[object|>null</);
    expect(renderMarkdown(data)).not.toMatch(/undefined|NaN|\[object|\| null/);
  });

  test('each model has a survival chart with first and last share, and its similarities’ distribution', () => {
    expect(page.match(/<figure /g)).toHaveLength(4);
    expect(page.match(/>after loop</g)).toHaveLength(2);
    expect(page.match(/>similarity</g)).toHaveLength(2);
    const [best] = data.leaderboard;
    const survivors = Number(best?.nSustained.at(-1)) / Number(best?.n);
    expect(page).toContain(`>${Math.round(100 * survivors)} %</text>`);
  });

  test('the same data give the same bytes', async () => {
    expect(await renderReport(data, noExamples)).toBe(page);
  });

  test('what the results depend on is named', () => {
    for (const fact of [
      'evaloop-1',
      'a'.repeat(64),
      'b'.repeat(64),
      'pyodide 314.0.7',
      'sha256:0123456789abcdef',
      '2026-11-01',
      'evenkeel 0.1.0',
    ])
      expect(page).toContain(fact);
  });

  test('times are UTC', () => {
    expect(page).toContain('Started 2026-11-20 20:00 UTC, finished 2026-11-20 20:30 UTC');
  });

  // Red before: Markdown had no such sentence, which the page has.
  test('the Markdown warns of excluded verdicts as the page does', () => {
    const warned = { ...data, excluded: [{ run: 'r', model: 'steady', count: 12, of: 164, byReference: 0 }] };
    const markdown = renderMarkdown(warned);
    expect(markdown.slice(0, markdown.indexOf('## '))).toContain(
      '12 of 164 verdicts on steady are excluded, because a limit of evenkeel kept the program from being judged',
    );
    expect(renderMarkdown(data)).not.toContain('verdicts on');
  });

  // Red before: '×: excluded because of a limit of evenkeel', also of tasks whose own reference is broken.
  test('no explanation of excluded answers blames evenkeel for all of them', () => {
    expect(page).toContain('could not be judged');
    expect(page).not.toMatch(/limit of evenkeel (?:kept|stopped)|excluded because of a limit/);
  });

  test('the Markdown marks simulated rows and has the same estimates', () => {
    const markdown = renderMarkdown(data);
    expect(markdown).toContain('| brittle (simulated) |');
    for (const { asl } of data.leaderboard) expect(markdown).toContain(`| ${asl?.value.toFixed(3)} (`);
  });
});

test('a running run shows its missing cells and the estimates that the finished table would hold', async () => {
  const finished = await reportOf(complete);
  const partial = await reportOf({ ...complete, withAsl: false, missing: 37 });
  const page = await renderReport(partial, noExamples);
  expect(page).toContain('<summary><b>Partial</b> 37 of 157 cells missing</summary>');
  expect(renderMarkdown(partial)).toContain('**Partial:** 37 of 157 cells');
  // Cells of unfinished pages may be finished, so the report does not count how many are.
  for (const text of [page, renderMarkdown(partial)]) {
    expect(text).toContain('120 of 157 cells in this report');
    expect(text).not.toContain('cells finished');
  }
  expect(renderMarkdown(finished)).toContain('120 of 120 cells finished');
  const points = (data: ReportData) =>
    data.leaderboard.map(({ model, asl, aslUnweighted, ceiling }) => [
      model,
      asl?.value,
      aslUnweighted?.value,
      ceiling,
    ]);
  expect(points(partial)).toEqual(points(finished));
});

test('a complete run of real models has no notice', async () => {
  const page = await renderReport(await reportOf({ ...complete, models: [steady] }), noExamples);
  expect(page).not.toContain('class="notice"');
  expect(page).not.toContain('class="tag"');
});

test('without a judge the board falls back to ASL without similarities', async () => {
  const data = await reportOf({ ...complete, judge: null });
  expect(data.leaderboard.map((row) => row.asl)).toEqual([null, null]);
  expect(data.leaderboard.map((row) => row.model)).toEqual(['steady', 'brittle']);
  expect(await renderReport(data, noExamples)).toContain('no judge');
  // A column for which no model has a value is left out.
  const headsOf = (one: ReportData): unknown[] =>
    one.studies.flatMap((study) => study.boards(contextOf(one))).flatMap(({ heads }) => heads);
  expect(headsOf(data)).toContain('ASL, s = 1');
  expect(headsOf(data)).not.toContain('ASL');
  expect(headsOf(await reportOf(complete))).toContain('ASL');
});

test('the report of a run without a sealed page says so', async () => {
  const folder = await newFolder();
  await writeRun(folder, []);
  const page = await renderReport(await collect(folder), noExamples);
  expect(page).toContain('No page is finished yet');
  expect(page).toContain('<b>No results yet</b> 2 cells planned');
  expect(page).not.toContain('Partial');
});

test('calls and spend are counted by model and role: 3 answered, 1 failed, 1 lost', async () => {
  const folder = await newFolder();
  const call = (number: number, status: string, usd: number | null, basis: string) => ({
    run: 'r',
    study: 's',
    model: 'm',
    answering_model: 'm',
    role: 'study',
    call: number,
    status,
    usd,
    cost_basis: basis,
    input_tokens: status === 'answered' ? 100 : null,
    output_tokens: 10,
    returned_model: number === 1 ? 'm-old' : 'm-new',
    used: true,
  });
  await writeRun(folder, [
    {
      table: 'calls',
      page: 'loops/m/p',
      rows: [
        call(1, 'answered', 0.5, 'reported'),
        call(2, 'answered', 0.25, 'reported'),
        call(3, 'answered', null, 'reported'),
        call(4, 'failed', 0, 'reported'),
        call(5, 'lost', 0.125, 'estimated'),
      ],
    },
  ]);
  const data = await collect(folder);
  expect(data.calls).toEqual([
    {
      run: 'r',
      model: 'm',
      role: 'study',
      answered: 3,
      failed: 1,
      lost: 1,
      nRefused: 0,
      reused: 0,
      inputTokens: 300,
      outputTokens: 50,
      reportedUsd: 0.75,
      estimatedUsd: 0.125,
      unpriced: 1,
      returnedModels: ['m-new', 'm-old'],
      otherModels: [],
      disbelieved: 0,
      logprobFaults: 0,
      answers: 0,
      cut: 0,
      fingerprints: [],
      backends: [],
    },
  ]);
  expect(await renderReport(data, noExamples)).toContain(
    '<summary><b>Mixed versions</b> m</summary><p>m answered under several names: m-new, m-old.</p>',
  );
});

test('solved tasks’ cost, another model, impossible usage, cut answers and mixed backends are shown', async () => {
  const folder = await newFolder();
  const cell = {
    run: 'r',
    study: 's',
    model: 'm',
    benchmark: 'b',
    language: 'python',
    variant: 'original',
    setting: 'default',
  };
  const at = { ...cell, repetition: 0, loop: 1, step: 'generate', sample: 0 };
  const call = (task: string, usd: number, more: Row = {}): Row => ({
    ...{
      ...at,
      task_id: task,
      page: 's/m/r1p0',
      call: usd * 100,
      answering_model: 'm',
      role: 'study',
      status: 'answered',
      used: true,
    },
    ...{ usd, cost_basis: 'reported', input_tokens: 10, output_tokens: 5, returned_model: 'gpt-4o-mini', ...more },
  });
  await writeRun(folder, [
    { table: 'models', page: 'run', rows: [{ run: 'r', model: 'm', requested_model: 'gpt-4o', simulated: false }] },
    {
      table: 'calls',
      page: 's/m/r1p0',
      rows: [call('t1', 0.5), call('t2', 0.25, { usage_reported: '{"input_tokens":1e15}' })],
    },
    {
      table: 'verdicts',
      page: 's/m/r1p0',
      rows: ['t1', 't2'].map((task) => ({
        ...at,
        task_id: task,
        suite: 'base',
        outcome: task === 't1' ? 'pass' : 'exception',
      })),
    },
    {
      table: 'samples',
      page: 's/m/r1p0',
      rows: [
        { ...at, task_id: 't1', ask: 0, answering_model: 'm', reply: '', logprob_fault: 'no', simulated: false },
        { ...at, task_id: 't2', ask: 0, answering_model: 'm', reply: '', finish_reason: 'length', backend: 'Together' },
        { ...at, task_id: 't3', ask: 0, answering_model: 'm', reply: '', finish_reason: 'stop', backend: 'DeepInfra' },
      ],
    },
  ]);
  const data = await collect(folder);
  const page = await renderReport(data, noExamples);
  for (const text of [page, renderMarkdown(data).replaceAll('\\', '')]) {
    expect(text).toContain('Cost of a solved task');
    expect(text).toContain('$0.75');
    expect(text).toMatch(/m was requested, but gpt-4o-mini answered/);
    expect(text).toMatch(/1 calls of m reported impossible token counts/);
    expect(text).toMatch(/1 answers of m/);
    expect(text).toContain('1 of 3 answers of m (33.3 %) were cut at a length');
    expect(text).toContain('m was served by 2 backends: DeepInfra, Together');
  }
});

describe('text from strangers', () => {
  const planted = `<img src=x onerror="alert(1)">'|\u202e[x](javascript:alert(1))\u0007`;
  let data: ReportData;
  beforeAll(async () => {
    data = await reportOf({
      ...complete,
      runId: `r ${planted}`,
      judge: `j ${planted}`,
      // A spec refuses an id with control characters, so no manifest has one.
      models: [{ ...steady, id: `m ${planted.replaceAll(/\p{Cc}/gu, '')}`, family: planted, simulated: true }],
    });
  });

  test('stays text in HTML, wherever it stands', async () => {
    const page = await renderReport(data, noExamples);
    expect(page).not.toMatch(/<img|onerror="/);
    expect(page.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;').length).toBeGreaterThan(8);
    for (const hidden of ['\u202e', '\u0007']) expect(page).not.toContain(hidden);
  });

  test('stays text in Markdown, in one cell', () => {
    const markdown = renderMarkdown(data);
    expect(markdown).not.toMatch(/(?<!\\)<|(?<!\\)\]\(/);
    for (const hidden of ['\u202e', '\u0007']) expect(markdown).not.toContain(hidden);
    const board = markdown.split('\n').filter((line) => line.startsWith('| m '));
    const cells = board.map((line) => line.replaceAll(/\\./g, '').split('|').length - 2);
    // The columns of the board (and of what broke), of survival and hazard by loop, of lengths, fixpoints and calls.
    expect([...new Set(cells)]).toEqual([9, 6, 3, 5, 11]);
  });
});
