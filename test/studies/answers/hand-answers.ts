/**
 * A run of two models with what the recorded one lacks: prices, a call for three answers, a lost call, an answer that
 * two studies share, time-outs, excluded cells and a failing input.
 */
import type { Manifest } from '../../../schemas/manifest.ts';
import { specSchema } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import {
  outcomeColumns,
  type PaidCall,
  type PaidSample,
  paidColumns,
} from '../../../activities/rows/answer-columns.ts';
import { answerColumns } from '../../../schemas/tables/answer-columns.ts';
import { type FixturePart, writeRun } from '../../analysis/run-fixture.ts';

const models = ['steady', 'drifting'] as const;
const page = 'loops/steady/r1p0000';

const cellOf = (study: string, model: string, task: string, variant: string): Row => ({
  ...{ run: 'hand', study, model, benchmark: 'mbpp', task_id: task, language: 'python', variant },
  ...{ setting: 'default', repetition: 0 },
});

interface Answer {
  readonly cell: Row;
  readonly at: Row;
  readonly key: string;
  readonly prompt: string;
  /** Null for a step without code. */
  readonly outcomes: readonly string[] | null;
}

const generated = (loop: number, sample = 0): Row => ({ loop, step: 'generate', sample, ask: 0 });

/** The first key is shared: study `moods` asks the same question as loop 1 of study `loops`. */
const answers: readonly Answer[] = models.flatMap((model) => [
  {
    cell: cellOf('loops', model, 'T/1', 'original'),
    at: generated(1),
    key: `${model}-1`,
    prompt: 'short',
    outcomes: ['pass', 'pass'],
  },
  {
    cell: cellOf('loops', model, 'T/1', 'original'),
    at: { loop: 1, step: 'summarize', sample: 0, ask: 0 },
    key: `${model}-s`,
    prompt: 'sum up',
    outcomes: null,
  },
  {
    cell: cellOf('loops', model, 'T/2', 'original'),
    at: generated(1),
    key: `${model}-2`,
    prompt: 'x'.repeat(600),
    outcomes: model === 'steady' ? ['pass', 'pass'] : ['pass', 'cpu_timeout'],
  },
  // Its cell is excluded in a later loop: this one is known.
  {
    cell: cellOf('loops', model, 'T/3', 'original'),
    at: generated(1),
    key: `${model}-3`,
    prompt: 'third',
    outcomes: ['pass', 'pass'],
  },
  ...[0, 1, 2].map((sample) => ({
    cell: cellOf('moods', model, 'T/1', 'original'),
    at: generated(1, sample),
    key: `${model}-${['1', 'b', 'c'][sample]}`,
    prompt: 'short',
    outcomes: sample === 0 ? ['pass', 'pass'] : sample === 1 ? ['not_run', 'wrong_output'] : ['not_run', 'pass'],
  })),
  {
    cell: cellOf('loops', model, 'T/4', 'original'),
    at: generated(1),
    key: `${model}-4`,
    prompt: 'fourth',
    outcomes: ['pass', 'wrong_output'],
  },
  {
    cell: cellOf('plain', model, 'T/1', 'original'),
    at: generated(1),
    key: `${model}-p`,
    prompt: 'plain',
    outcomes: ['wrong_output', 'pass'],
  },
]);

const sampleRow = ({ cell, at, key, prompt, outcomes }: Answer): Row => ({
  ...cell,
  ...at,
  answering_model: cell['model'] ?? null,
  call_key: key,
  prompt_sha256: prompt,
  reply: 'reply',
  reply_status: 'ok',
  solution: outcomes === null ? null : 'def f(): ...',
  request_id: `req-${key}`,
  simulated: false,
});

const failureOf = (outcome: string): Row =>
  outcome === 'wrong_output'
    ? { first_failing_case: 4, failing_input: '[[3,1]]', detail: 'expected [1,3], got [3,1]' }
    : { first_failing_case: outcome === 'cpu_timeout' ? 0 : null, failing_input: null, detail: null };

const verdictRows = ({ cell, at: { ask: _ask, ...at }, key, outcomes }: Answer): Row[] =>
  (outcomes ?? []).map((outcome, suite) => ({
    ...cell,
    ...at,
    suite: ['base', 'plus'][suite] ?? '',
    execution_id: `${key}-${suite}`,
    outcome,
    first_failing_case: failureOf(outcome)['first_failing_case'] ?? null,
    simulated: false,
  }));

const executionRows = ({ key, outcomes }: Answer, place: number): Row[] =>
  (outcomes ?? []).map((outcome, suite) => ({
    ...{
      execution_id: `${key}-${suite}`,
      page,
      suite: ['base', 'plus'][suite] ?? '',
      outcome,
      wall_ms: 10 * place + suite,
    },
    ...failureOf(outcome),
  }));

const callRow = (answer: Answer, call: number, more: Row): Row => ({
  ...answer.cell,
  ...answer.at,
  ...{ page, call, call_key: answer.key, n: 1, role: 'study', answering_model: answer.cell['model'] ?? null },
  ...{ status: 'answered', used: true, usd: 0.01 * (call + 1), latency_ms: 100 * (call + 1), simulated: false },
  ...more,
});

/** The three answers of `moods` came in one call; the question of T/2 was lost once before. */
const calls: readonly Row[] = answers.flatMap((answer, index) => {
  const isMoods = answer.cell['study'] === 'moods';
  if (isMoods && answer.at['sample'] !== 0) return [];
  const lost = { status: 'lost', used: false, usd: 0.5, latency_ms: null };
  return [
    ...(answer.cell['task_id'] === 'T/2' ? [callRow(answer, 100 + index, lost)] : []),
    callRow(answer, index, isMoods ? { n: 3, usd: 0.3 } : {}),
  ];
});

const cellRows = (study: string): Row[] => [
  ...new Map(
    answers
      .filter(({ cell }) => cell['study'] === study)
      .map(({ cell }) => [JSON.stringify(cell), { ...cell, simulated: false }] as const),
  ).values(),
];

/** What an early version did not write. */
const early = Object.keys(answerColumns);

const isOf =
  (study: string) =>
  (row: Row): boolean =>
    row['study'] === study;

/** A page for each study. The samples of those in `sealed` have the columns that are made when a page is sealed. */
function sealedParts(studies: readonly string[], sealed: readonly string[]): FixturePart[] {
  const asked = calls.filter(({ study }) => studies.includes(String(study)));
  return studies.flatMap((study) => {
    const own = answers.filter(({ cell }) => isOf(study)(cell));
    const ofPage = asked.filter(isOf(study)).map((call) => ({ ...call, page: `${page}-${study}` }));
    const samples = own.map((answer) => ({
      ...placeOf({ ...answer.cell, ...answer.at }),
      ...broughtTo(answer, asked),
    }));
    const paid = paidColumns(samples, ofPage.map(paidCall));
    const rows = own.map((answer, place) => ({
      ...sampleRow(answer),
      ...outcomeColumns(verdictRows(answer)),
      ...paid(samples[place] as PaidSample),
    }));
    return [
      { table: 'samples', page: `${page}-${study}`, rows, without: sealed.includes(study) ? [] : early },
      { table: 'calls', page: `${page}-${study}`, rows: ofPage },
    ] as const;
  });
}

const cellNames = [...new Set(answers.map(({ cell }) => JSON.stringify(cell)))];

/** As the ledger says it. */
function placeOf({ loop, step, ask, sample, ...row }: Row): Pick<PaidSample, 'key'> {
  const names = Object.keys(answers[0]?.cell ?? {});
  const cell = cellNames.indexOf(JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]]))));
  return { key: { cell, loop, step, ask, sample } as PaidSample['key'] };
}

const paidCall = (row: Row): PaidCall => ({
  ...placeOf(row),
  ...{ intent: Number(row['call']), callKey: String(row['call_key']), n: Number(row['n']), used: row['used'] === true },
  ...{ charge: { usd: row['usd'] as number }, latencyMs: row['latency_ms'] as number | null },
});

const broughtTo = (answer: Answer, asked: readonly Row[]): Omit<PaidSample, 'key'> => ({
  callKey: answer.key,
  intent: broughtBy(answer, asked),
});

/** The first call that could bring the answer. */
function broughtBy({ cell, key }: Answer, asked: readonly Row[]): number {
  const own = asked.find(({ used, call_key }) => used === true && call_key === key);
  const several = asked.find(({ n, study, model }) => n !== 1 && study === cell['study'] && model === cell['model']);
  return Number((own ?? several)?.['call']);
}

const parts = (studies: readonly string[]): readonly FixturePart[] => {
  const isKept = ({ study }: Row): boolean => studies.includes(String(study));
  const kept = answers.filter(({ cell }) => isKept(cell));
  return [
    { table: 'samples', page, rows: kept.map(sampleRow), without: early },
    { table: 'verdicts', page, rows: kept.flatMap(verdictRows) },
    { table: 'executions', page, rows: [...distinct(kept.flatMap(executionRows), 'execution_id')] },
    { table: 'calls', page, rows: calls.filter(isKept) },
    {
      table: 'prompts',
      page,
      rows: [...new Set(kept.map(({ prompt }) => prompt))].map((prompt) => ({
        ...{ prompt_sha256: prompt, page },
        messages: JSON.stringify([
          { role: 'system', content: 'Write code.' },
          { role: 'user', content: prompt },
        ]),
      })),
    },
    {
      table: 'loops',
      page,
      rows: cellRows('loops').map((row) => ({
        ...row,
        sustained_loops: 1,
        ended_by: row['task_id'] === 'T/3' ? 'excluded' : 'code_failed',
      })),
    },
    { table: 'prompt_scores', page, rows: cellRows('moods') },
    { table: 'pass_counts', page, rows: cellRows('plain') },
  ];
};

function distinct(rows: readonly Row[], column: string): Iterable<Row> {
  return new Map(rows.map((row) => [row[column], row])).values();
}

interface Kept {
  readonly studies?: readonly string[];
  /** Studies whose samples say what `answers` says of them, as this version writes them. */
  readonly sealed?: readonly string[];
}

const allStudies = ['loops', 'moods', 'plain'];

export function writeHandAnswers(folder: string, { studies = allStudies, sealed }: Kept = {}): Promise<Manifest> {
  const whole = parts(studies);
  const others = whole.filter(({ table }) => table !== 'samples' && table !== 'calls');
  const all = sealed === undefined ? whole : [...sealedParts(studies, sealed), ...others];
  return writeRun(folder, all, {
    runId: 'hand',
    spec: specSchema.parse({
      name: 'hand',
      models: models.map((id) => ({ id, provider: 'simulated' })),
      benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
      studies: [
        { name: 'loops', kind: 'evaloop', benchmark: 'mbpp' },
        { name: 'moods', kind: 'promptse', benchmark: 'mbpp' },
        { name: 'plain', kind: 'pass', benchmark: 'mbpp' },
      ],
    }),
  });
}
