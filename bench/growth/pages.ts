/** Answers and tables of one page of a growing run, made up by a rule: real calls of the ledger, and real files. */
import type { ChatReply } from '../../schemas/chat.ts';
import { type Row, type Table, type TableName, tables } from '../../schemas/tables.ts';
import { sha256 } from '../../domain/ids.ts';
import { outcomeColumns, paidColumns } from '../../activities/rows/answer-columns.ts';
import { stageTable } from '../../activities/record.ts';
import type { RunPage } from '../../activities/runs/opened/run.ts';
import type { Charge } from '../../activities/storage/ledger/records.ts';
import type { Fence } from '../../activities/storage/ledger/fence.ts';
import type { PartsChange } from '../../activities/storage/parts/publisher.ts';
import { publishStaged } from '../../activities/storage/parts/publish-staged.ts';
import { samplesPerCell } from './spec.ts';

/** Calls in flight. */
const concurrency = 128;

const charge: Charge = {
  ...{ inputTokens: 180, cachedTokens: null, outputTokens: 110, reasoningTokens: null },
  ...{ usd: 0.0003, basis: 'reported', priceDate: '2026-11-01' },
};

const latencyMs = 900;

interface Answered {
  readonly cell: number;
  readonly sample: number;
  readonly callKey: string;
  readonly text: string;
  readonly executionKey: string;
  readonly passes: boolean;
}

const answersOf = ({ page, cells }: RunPage): Answered[] =>
  cells.flatMap((_cell, cell) =>
    Array.from({ length: samplesPerCell }, (_, sample) => {
      const name = sha256(`${page} ${cell} ${sample}`);
      const text = answerText(name);
      return { cell, sample, callKey: name, text, executionKey: sha256(text), passes: name < 'b' };
    }),
  );

/** 400 characters; some of them differ from answer to answer, so that replies do not compress to nothing. */
function answerText(name: string): string {
  const lines = [
    'Here is the function:\n```python\ndef joined(lists):',
    `    """Join the lists, sort what they hold and drop repeats (${name.slice(0, 12)})."""`,
    '    seen = set()\n    joined = []\n    for part in lists:\n        for item in part:',
    `            if item not in seen and item != ${Number.parseInt(name.slice(0, 6), 16)}:`,
    '                seen.add(item)\n                joined.append(item)\n    return sorted(joined)\n```',
  ].join('\n');
  return lines.padEnd(400, `\n# ${name.slice(20, 44)}`).slice(0, 400);
}

/** @returns the number of answers */
export async function answerPage(page: RunPage, epoch: number): Promise<number> {
  const { ledger } = page.run;
  const fence = await ledger.openUnit(`${page.page}/generate/1`, epoch);
  const answers = answersOf(page);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let place = next++; place < answers.length; place = next++)
      await answer(page, fence, answers[place] as Answered);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await ledger.markCellsDone(page.page, page.cells.length);
  return answers.length;
}

async function answer({ page, model, run: { ledger } }: RunPage, fence: Fence, one: Answered): Promise<void> {
  const reserved = await ledger.reserve(fence, {
    key: { page, cell: one.cell, step: 'generate', loop: 1, ask: 0, sample: one.sample },
    ...{ callKeys: [one.callKey], model, answeringModel: model, parametersSent: '{"temperature":0.8}' },
    ...{ maxUsd: 0.01, estimatedUsd: 0.0004, estimatedTokens: 400, maxTokens: 1_200, free: false },
  });
  if (reserved.kind !== 'go') throw new Error(`${page}: expected go, got ${reserved.kind}`);
  const reply: ChatReply = {
    ...{ text: one.text, finishReason: 'stop', returnedModel: model, fingerprint: null, logprobs: null },
    ...{ inputTokens: 180, cachedTokens: null, outputTokens: 110, reasoningTokens: null },
  };
  await ledger.commit(reserved.intent, [reply], charge, latencyMs);
  await ledger.saveVerdict({
    ...{ executionKey: one.executionKey, programSha256: sha256(`program ${one.text}`), suite: 'base' },
    ...{ outcome: one.passes ? 'pass' : 'wrong_output', firstFailingCase: one.passes ? null : 3 },
    ...{ detail: one.passes ? null : 'expected [1, 2], got [2, 1]', wallMs: 3.25, cpuMs: 2.5, memoryBytes: 9_000_000 },
    ...{ tier: 'container', lane: 'batch', engine: 'docker 29', imageDigest: 'sha256:0', limits: '{"caseMs":1000}' },
  });
}

export async function sealRows(page: RunPage, epoch: number): Promise<PartsChange> {
  const fence = await page.run.ledger.openUnit(`${page.page}/seal/1`, epoch);
  const rows = rowsOf(page);
  const staged = (Object.keys(rows) as TableName[]).map((name) => stageTable(page, name, rows[name] ?? []));
  return publishStaged(page.run.home.parts, staged, (records) => page.run.ledger.sealPage(fence, page.page, records));
}

function rowsOf(page: RunPage): Partial<Record<TableName, Row[]>> {
  const answers = answersOf(page);
  const at = (one: Answered): Row => ({ ...keyOf(page, one.cell), loop: 1, step: 'generate', sample: one.sample });
  const outcome = ({ passes }: Answered): string => (passes ? 'pass' : 'wrong_output');
  const verdicts = answers.map((one) => row('verdicts', { ...at(one), suite: 'base', outcome: outcome(one) }));
  const paid = { n: 1, used: true, usd: charge.usd, latency_ms: latencyMs };
  const calls = answers.map((one, call) =>
    row('calls', { ...at(one), ...paid, page: page.page, call, call_key: one.callKey }),
  );
  const asked = answers.map(({ cell, sample, callKey }, intent) => ({
    ...{ key: { cell, loop: 1, step: 'generate' as const, ask: 0, sample }, callKey, intent },
    ...{ n: 1, used: true, charge, latencyMs },
  }));
  const paidFor = paidColumns(asked, asked);
  return {
    samples: answers.map((one, place) => ({
      ...row('samples', { ...at(one), call_key: one.callKey, reply: one.text }),
      ...outcomeColumns(verdicts.slice(place, place + 1)),
      ...paidFor(asked[place] as (typeof asked)[number]),
    })),
    ...{ calls, verdicts },
    executions: answers.map((one) =>
      row('executions', { execution_id: one.executionKey, page: page.page, suite: 'base', outcome: outcome(one) }),
    ),
    prompts: [...new Set(page.cells.map(({ taskId }) => taskId))].map((taskId) =>
      row('prompts', { prompt_sha256: sha256(taskId), page: page.page, messages: `Write ${taskId}` }),
    ),
    pass_counts: page.cells.map((_cell, cell) => {
      const passed = answers.filter((one) => one.cell === cell && one.passes).length;
      return row('pass_counts', { ...keyOf(page, cell), n_samples: samplesPerCell, n_passed: passed });
    }),
  };
}

function keyOf({ run, study, model, cells }: RunPage, cell: number): Row {
  const { taskId, language, variant, setting, repetition } = cells[cell] ?? {};
  const place = { run: run.runId, study: study.name, model, benchmark: study.benchmark };
  return { ...place, task_id: taskId, language, variant, setting, repetition } as Row;
}

const blanks = { string: '', int: 0, float: 0, bool: false, timestamp: 0, intList: [], floatList: [] } as const;

/** With null, or nothing, in every column that is not given. */
const row = (name: TableName, given: Row): Row => ({
  ...Object.fromEntries(
    Object.entries((tables[name] as Table).columns).map(([column, { type, nullWhen }]) => [
      column,
      nullWhen === undefined ? blanks[type] : null,
    ]),
  ),
  ...given,
});
