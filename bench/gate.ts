/**
 * How often a gate passes models that are worse than the policy allows, and models that are not:
 * simulated, with the real gate.
 */
import { InputError } from '../domain/errors.ts';
import { seedOf } from '../domain/random.ts';
import { commandText } from './command-text.ts';
import { type KindCell, kindCells } from './gate/kinds.ts';
import { type OutcomeCounts, PairedGates, type PairedTruth } from './gate/paired-binaries.ts';
import { kindColumns, kindRow, type MeasuredCell, pairedColumns, pairedRow } from './gate/rows.ts';
import { saveTables, sourceOf } from './measured/save.ts';

export interface GateBenchOptions {
  readonly gates: string;
  readonly kindGates: string;
  readonly seed: string;
  readonly only?: string;
  /** A machine of bench/results/machines.json. */
  readonly save?: string;
}

/** What a simulation found: the rows of its table, and the cells that are wrong too often. */
interface Found {
  readonly rows: readonly (readonly string[])[];
  readonly broken: readonly string[];
}

interface FoundPaired extends Found {
  /** The most wrong verdicts of any cell. */
  readonly worst: { readonly passed: number; readonly failed: number };
}

const sizes = [1, 4, 10, 20, 60, 164, 378];
const margins = [0, 2, 5];
/** Share of tasks that only the new model passes, in points; losses come on top. */
const discordances = { none: 0, low: 1, high: 10 };
/** Highest probability of a wrong verdict, as promised by a policy's default confidence. */
const promised = 0.05;

/** Throws if a cell has more wrong verdicts than promised plus two Monte Carlo standard errors. */
export function gateBench(options: GateBenchOptions, print: (line: string) => void): void {
  const [gates, kindGates, seed] = [
    wholeNumber(options.gates, '--gates'),
    wholeNumber(options.kindGates, '--kind-gates'),
    Number(options.seed),
  ];
  const { only, save } = options;
  if (only !== undefined && save !== undefined)
    throw new InputError('needs the tables of all metrics; leave out --only', { field: '--save' });
  const source = save === undefined ? null : sourceOf(save, commandText());
  const kinds = kindCells.filter(({ name }) => name.includes(only ?? ''));
  const paired = only === undefined ? pairedTable(gates, seed, print) : null;
  const others = kindTable(kinds, kindGates, seed, print);
  if (source !== null && paired !== null) {
    const [title, size] = ['pass@1, one answer a task', `${gates.toLocaleString('en-US')} gates a cell`];
    const { rows, worst } = paired;
    const [passed, failed] = [bare(worst.passed, gates), bare(worst.failed, gates)];
    const note = `There are at most ${passed} % wrong passes and ${failed} % wrong failures.`;
    saveTables('gate-pass-at-1', [{ title, size, note, columns: pairedColumns, rows }], source);
    const otherSize = `${kindGates.toLocaleString('en-US')} gates a cell`;
    const other = { title: 'other metrics', size: otherSize, columns: kindColumns, rows: others.rows };
    saveTables('gate-other-metrics', [other], source);
  }
  const broken = [...(paired?.broken ?? []), ...others.broken];
  for (const line of broken) print(`misses its promised rate: ${line}`);
  if (broken.length > 0) throw new Error(`${broken.length} cells are wrong in more than ${100 * promised} % of gates`);
  print(`no cell is wrong in more than ${100 * promised} % of gates, plus two standard errors`);
}

function wholeNumber(text: string, field: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw new InputError(`must be a whole number of at least 1, got "${text}"`, { field });
  return value;
}

const bare = (count: number, all: number): string => ((100 * count) / all).toFixed(1);
const percent = (count: number, all: number): string => bare(count, all).padStart(5);
const mostWrong = (gates: number): number => gates * (promised + 2 * Math.sqrt((promised * (1 - promised)) / gates));

/** Prints each column as passed / failed, in percent of gates. */
function pairedTable(gates: number, seed: number, print: (line: string) => void): FoundPaired {
  print(
    `pass@1, one answer a task, ${gates} gates a cell: % passed / % failed; discordance: none, low, high = 0, 1, ` +
      '10 % of tasks gained',
  );
  print(`   n  margin  discordance   nothing lost   margin + 1     margin + 5`);
  const [rows, broken]: [string[][], string[]] = [[], []];
  const worst = { passed: 0, failed: 0 };
  for (const n of sizes)
    for (const margin of margins) {
      const judged = new PairedGates(n, margin);
      const found = Object.entries(discordances).map(([name, gained]) => {
        const counts = [0, margin + 1, margin + 5].map((loss) => {
          const truth: PairedTruth = { lost: gained + loss, gained };
          const one = judged.outcomes(truth, gates, seedOf('gate bench', seed, n, margin, name, loss));
          const verdict = loss > margin ? 'passed' : 'failed';
          const wrong = one[verdict];
          worst[verdict] = Math.max(worst[verdict], wrong);
          if (wrong > mostWrong(gates))
            broken.push(`n ${n}, margin ${margin}, ${name}, loss ${loss}: ${percent(wrong, gates)} %`);
          return one;
        });
        const columns = counts.map((one) => shares(one, gates));
        print(`${String(n).padStart(4)}  ${String(margin).padStart(6)}  ${name.padEnd(11)}  ${columns.join('  ')}`);
        return counts;
      });
      rows.push(pairedRow(n, margin, found, gates));
    }
  return { rows, broken, worst };
}

const shares = ({ passed, failed }: OutcomeCounts, gates: number): string =>
  `${percent(passed, gates)} / ${percent(failed, gates)}`;

function kindTable(cells: readonly KindCell[], gates: number, seed: number, print: (line: string) => void): Found {
  print(`other metrics, ${gates} gates a cell: % passed / % failed`);
  const broken: string[] = [];
  const measured = cells.map((cell): MeasuredCell => {
    const found = countsOf(cell, gates, seed);
    const wrong = cell.worse ? found.passed : found.failed;
    if (wrong > mostWrong(gates)) broken.push(`${cell.name}, n ${cell.n}: ${percent(wrong, gates)} %`);
    print(`${String(cell.n).padStart(4)}  ${shares(found, gates)}  ${cell.name}`);
    return { cell, found };
  });
  const rows = [...Map.groupBy(measured, ({ cell }) => cell.kind).values()].map((own) => kindRow(own, gates));
  return { rows, broken };
}

function countsOf(cell: KindCell, gates: number, seed: number): OutcomeCounts {
  const found = { passed: 0, failed: 0, inconclusive: 0 };
  for (let gate = 0; gate < gates; gate += 1)
    found[cell.judge(seedOf('gate bench', seed, cell.name, cell.n, gate))] += 1;
  return found;
}
