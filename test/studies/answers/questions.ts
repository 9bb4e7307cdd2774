/** The cookbook's questions, answered by hand: each gives the rows that its SQL must give, in the same order. */
import { type Counted, keyOf, type Stored } from './brute-force.ts';

type Cell = string | number | null;
type Answered = (stored: Stored) => Cell[][];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const total = (answers: readonly Counted[]): number | null => {
  const known = answers.flatMap(({ usd }) => usd ?? []);
  return known.length === 0 ? null : sum(known);
};
const text = ({ row }: Counted, column: string): string => String(row[column]);
const by = <T>(rows: readonly T[], keys: (row: T) => readonly Cell[]): [Cell[], T[]][] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(keys(row)))].map(([key, own]) => [JSON.parse(key) as Cell[], own]);
const compare = (a: readonly Cell[], b: readonly Cell[]): number => {
  const place = a.findIndex((value, index) => value !== b[index]);
  if (place === -1) return 0;
  return (a[place] ?? '') < (b[place] ?? '') ? -1 : 1;
};
const inOrder = (rows: Cell[][], of: (row: Cell[]) => Cell[] = (row) => row): Cell[][] =>
  rows.toSorted((a, b) => compare(of(a), of(b)));
const countedOf = ({ answers }: Stored): Counted[] => answers.filter(({ counted }) => counted);

const same = [
  ...['run', 'study', 'benchmark', 'task_id', 'language', 'variant', 'setting', 'repetition'],
  ...['loop', 'step', 'ask', 'sample'],
];

const flips: Answered = (stored) => {
  const rows = countedOf(stored);
  const others = new Map(
    rows.filter(({ row }) => row['model'] === 'drifting').map((one) => [keyOf(one.row, same), one.passed]),
  );
  const pairs = rows
    .filter(({ row }) => row['model'] === 'steady')
    .flatMap((one) => {
      const other = others.get(keyOf(one.row, same));
      return other === undefined ? [] : [{ one, other }];
    });
  return inOrder(
    by(pairs, ({ one }) => [text(one, 'study'), text(one, 'variant')]).map(([key, own]) => [
      ...key,
      own.filter(({ one, other }) => one.passed && !other).length,
      own.filter(({ one, other }) => !one.passed && other).length,
      own.length,
    ]),
  );
};

const solvedCost: Answered = ({ answers }) =>
  inOrder(
    by(answers, (one) => [text(one, 'model')]).map(([key, own]) => {
      const tasks = own
        .filter(({ counted, passed }) => counted && passed)
        .map(({ row }) => keyOf(row, ['run', 'study', 'benchmark', 'task_id', 'language']));
      const solved = new Set(tasks).size;
      const usd = total(own);
      return [...key, usd, solved, usd === null || solved === 0 ? null : usd / solved];
    }),
  );

const timeOuts: Answered = (stored) =>
  inOrder(
    by(countedOf(stored), (one) => [text(one, 'task_id'), one.prompt])
      .map(([key, own]) => [...key, own.filter(({ outcome }) => outcome?.endsWith('timeout')).length, own.length])
      .filter((row) => Number(row[2]) > 0),
    ([task, prompt, timedOut]) => [-Number(timedOut), task ?? '', prompt ?? ''],
  );

/** Linear interpolation between the two nearest ranks. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below === undefined || above === undefined ? null : below + (place - Math.floor(place)) * (above - below);
}

const latencies: Answered = ({ calls }) =>
  inOrder(
    by(
      calls.filter(({ status }) => status === 'answered'),
      (row) => [String(row['answering_model']), String(row['step'])],
    ).map(([key, own]) => [
      ...key,
      own.length,
      quantile(
        own.flatMap(({ latency_ms: ms }) => (ms === null ? [] : Number(ms))),
        0.95,
      ),
    ]),
  );

const unsolved: Answered = (stored) =>
  inOrder(
    by(countedOf(stored), (one) => ['study', 'benchmark', 'task_id', 'language'].map((name) => text(one, name)))
      .filter(([, own]) => own.every(({ passed }) => !passed))
      .map(([key, own]) => [...key, new Set(own.map((one) => text(one, 'model'))).size, own.length]),
  );

const share = (own: readonly Counted[]): number => own.filter(({ passed }) => passed).length / own.length;

const lengths: Answered = (stored) =>
  inOrder(
    by(countedOf(stored), (one) => [text(one, 'study'), 250 * Math.floor([...one.prompt].length / 250)]).map(
      ([key, own]) => [...key, own.length, share(own)],
    ),
  );

const agreement: Answered = (stored) => {
  const prompts = by(countedOf(stored), (one) => [
    ...[text(one, 'study'), text(one, 'model'), text(one, 'run'), text(one, 'benchmark'), text(one, 'task_id')],
    ...[text(one, 'language'), text(one, 'setting'), text(one, 'step'), one.prompt],
  ]).filter(([, own]) => own.length > 1);
  return inOrder(
    by(prompts, ([[study, model]]) => [study ?? '', model ?? '']).map(([key, groups]) => [
      ...key,
      groups.length,
      sum(groups.map(([, own]) => pairsThatAgree(own))) / groups.length,
    ]),
  );
};

function pairsThatAgree(own: readonly Counted[]): number {
  const pairs = own.flatMap((one, place) => own.slice(place + 1).map((other) => one.passed === other.passed));
  return pairs.filter((agrees) => agrees).length / pairs.length;
}

const failures: Answered = (stored) =>
  inOrder(
    by(
      countedOf(stored).filter(({ passed }) => !passed),
      (one) => [text(one, 'model')],
    ).map(([key, own]) => {
      const outcomes = by(own, ({ outcome }) => [outcome]).map(([[outcome], some]) => [outcome ?? '', some.length]);
      const [most] = inOrder(outcomes, ([outcome, n]) => [-Number(n), outcome ?? '']);
      return [...key, ...(most ?? []), Number(most?.[1]) / own.length];
    }),
  );

const studyCosts: Answered = ({ answers }) =>
  inOrder(
    by(answers, (one) => [text(one, 'run'), text(one, 'study'), one.kind]).map(([key, own]) => [
      ...key,
      own.length,
      total(own),
    ]),
  );

const slowest: Answered = ({ verdicts, executions }) => {
  const times = new Map(executions.map((row) => [row['execution_id'], Number(row['wall_ms'])]));
  const timed = verdicts.flatMap((row) => {
    const ms = times.get(row['execution_id'] ?? null);
    return ms === undefined ? [] : [{ row, ms }];
  });
  const tasks = by(timed, ({ row }) => ['benchmark', 'task_id', 'language'].map((name) => String(row[name])));
  return inOrder(
    tasks.map(([key, own]) => {
      const ms = own.map((one) => one.ms);
      return [...key, own.length, quantile(ms, 0.5), Math.max(...ms)];
    }),
    (row) => [-Number(row[5]), ...row.slice(0, 3)],
  ).slice(0, 10);
};

/** In the order of the page. */
export const byHand: readonly Answered[] = [
  flips,
  solvedCost,
  timeOuts,
  latencies,
  unsolved,
  lengths,
  agreement,
  failures,
  studyCosts,
  slowest,
];
