/** The rows of `answers` and the ten questions of the cookbook, counted in loops over the stored rows. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import type { Row, TableName } from '../../../schemas/tables.ts';

export interface Counted {
  readonly row: Row;
  readonly kind: string;
  readonly prompt: string;
  /** Null if the step asks for no code. */
  readonly outcome: string | null;
  readonly passed: boolean;
  readonly counted: boolean;
  readonly usd: number | null;
}

export interface Stored {
  readonly answers: readonly Counted[];
  readonly calls: readonly Row[];
  readonly verdicts: readonly Row[];
  readonly executions: readonly Row[];
}

const cell = ['run', 'study', 'model', 'benchmark', 'task_id', 'language', 'variant', 'setting', 'repetition'];
const sample = [...cell, 'loop', 'step', 'sample'];
const asked = [...cell, 'loop', 'step', 'ask'];
export const keyOf = (row: Row, columns: readonly string[]): string =>
  JSON.stringify(columns.map((column) => row[column]));

/** For each kind, its cells' table and when the study's rates count a cell; by the papers' rules, not by the view's. */
const cellTables: Readonly<Record<string, { table: TableName; counts(row: Row): boolean }>> = {
  // Each judged program of a loop is known, whatever comes after it.
  evaloop: { table: 'loops', counts: () => true },
  'evaloop-translation': {
    table: 'chains',
    counts: (row) => !['excluded', 'start_failed'].includes(String(row['ended_by'])),
  },
  promptse: { table: 'prompt_scores', counts: () => true },
  pass: { table: 'pass_counts', counts: () => true },
  'robunfr-prompts': { table: 'nfr_scores', counts: (row) => row['passed'] !== null },
  'robunfr-regression': { table: 'nfr_scores', counts: (row) => row['passed'] !== null },
  'robunfr-workflows': { table: 'nfr_scores', counts: (row) => row['passed'] !== null },
  specificity: { table: 'prompt_passes', counts: (row) => row['passed'] !== null },
};

const excluded = new Set(['unencodable', 'missing_dependency', 'not_run']);

export async function stored(database: RunDatabase): Promise<Stored> {
  const all = (table: TableName): Promise<Row[]> => records(database, `select * from ${table}`);
  const [samples, verdicts, calls, prompts, executions] = await Promise.all(
    (['samples', 'verdicts', 'calls', 'prompts', 'executions'] as const).map(all),
  );
  if (!samples || !verdicts || !calls || !prompts || !executions) throw new Error('tables are missing');
  const kindOf = new Map(
    database.manifests.flatMap(({ runId, spec }) =>
      spec.studies.map(({ name, kind }) => [JSON.stringify([runId, name]), kind] as const),
    ),
  );
  const cells = new Map<string, { row: Row; counts: boolean }>();
  for (const { table, counts } of new Set(Object.values(cellTables)))
    for (const row of await all(table)) cells.set(keyOf(row, cell), { row, counts: counts(row) });
  const texts = new Map(
    prompts.map((row) => [
      row['prompt_sha256'],
      (JSON.parse(String(row['messages'])) as { content: string }[]).map(({ content }) => content).join('\n\n'),
    ]),
  );
  const judged = Map.groupBy(verdicts, (row) => keyOf(row, sample));
  const costs = costsOf(samples, calls);
  const answers = samples.map((row) => {
    const outcome = outcomeOf(judged.get(keyOf(row, sample)) ?? []);
    const own = cells.get(keyOf(row, cell));
    const isAsked = own?.counts === true && isAnswer(own.row, row);
    return {
      row,
      kind: kindOf.get(keyOf(row, ['run', 'study'])) ?? '',
      prompt: texts.get(row['prompt_sha256'] ?? null) ?? '',
      outcome,
      passed: outcome === 'pass',
      counted: isAsked && outcome !== null && !excluded.has(outcome),
      usd: costs(row),
    };
  });
  return { answers, calls, verdicts, executions };
}

/** Workflows count the improved code, and the plain code if there was none to improve. */
function isAnswer(cellRow: Row, row: Row): boolean {
  if (!('failure' in cellRow)) return true;
  return row['step'] === (cellRow['failure'] === 'nothing_to_improve' ? 'generate' : cellRow['step']);
}

function outcomeOf(verdicts: readonly Row[]): string | null {
  const outcomes = verdicts
    .toSorted((a, b) => (String(a['suite']) < String(b['suite']) ? -1 : 1))
    .map((row) => String(row['outcome']));
  const failures = outcomes.filter((outcome) => outcome !== 'pass');
  return failures.find((outcome) => !excluded.has(outcome)) ?? failures[0] ?? outcomes[0] ?? null;
}

/** What each sample's answer cost, split among the rows that use it. */
function costsOf(samples: readonly Row[], calls: readonly Row[]): (row: Row) => number | null {
  const places = new Map(samples.map((row) => [keyOf(row, [...asked, 'sample']), String(row['call_key'])]));
  const paid = new Map<string, number | null>();
  for (const call of calls)
    for (let draw = 0; draw < Number(call['n']); draw += 1) {
      const key =
        draw === 0
          ? String(call['call_key'])
          : places.get(keyOf({ ...call, sample: Number(call['sample']) + draw }, [...asked, 'sample']));
      if (key === undefined) continue;
      const before = paid.get(key) ?? null;
      paid.set(key, call['usd'] === null ? before : (before ?? 0) + Number(call['usd']) / Number(call['n']));
    }
  const users = Map.groupBy(samples, (row) => String(row['call_key']));
  return (row) => {
    const key = String(row['call_key']);
    const usd = paid.get(key) ?? null;
    return usd === null ? null : usd / (users.get(key)?.length ?? 1);
  };
}
