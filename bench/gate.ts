/**
 * How often a gate passes a model that is worse than the policy allows, and how often one that is not: simulated,
 * through the real gate.
 */
import { InputError } from '../domain/errors.ts';
import { seedOf } from '../domain/random.ts';
import { type KindCell, kindCells } from './gate/kinds.ts';
import { type OutcomeCounts, PairedGates, type PairedTruth } from './gate/paired-binaries.ts';

export interface GateBenchOptions {
  readonly gates: string;
  readonly kindGates: string;
  readonly seed: string;
  readonly only?: string;
}

const sizes = [1, 4, 10, 20, 60, 164, 378];
const margins = [0, 2, 5];
/** Share of tasks that the new model gains, in points; what it loses comes on top. */
const discordances = { none: 0, low: 1, high: 10 };
/** Most chance of a wrong verdict, as a policy's default confidence promises. */
const promised = 0.05;

/** Throws when a cell passes, or fails, wrongly more often than promised, plus two Monte Carlo standard errors. */
export function gateBench(options: GateBenchOptions, print: (line: string) => void): void {
  const [gates, kindGates, seed] = [
    wholeNumber(options.gates, '--gates'),
    wholeNumber(options.kindGates, '--kind-gates'),
    Number(options.seed),
  ];
  const kinds = kindCells.filter(({ name }) => name.includes(options.only ?? ''));
  const broken = [...(options.only === undefined ? pairedTable(gates, seed, print) : []), ...kindTable(kinds, kindGates, seed, print)];
  for (const line of broken) print(`breaks its promise: ${line}`);
  if (broken.length > 0) throw new Error(`${broken.length} cells are wrong in more than ${100 * promised} % of gates`);
  print(`no cell is wrong in more than ${100 * promised} % of gates, plus two standard errors`);
}

function wholeNumber(text: string, field: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new InputError(`needs a whole number from 1, got "${text}"`, { field });
  return value;
}

const percent = (count: number, all: number): string => ((100 * count) / all).toFixed(1).padStart(5);
const mostWrong = (gates: number): number => gates * (promised + 2 * Math.sqrt((promised * (1 - promised)) / gates));

/** Each column: passed / failed, in percent of gates. */
function pairedTable(gates: number, seed: number, print: (line: string) => void): string[] {
  print(`pass@1, one answer a task, ${gates} gates a cell: % passed / % failed; discordance: none, low, high = 0, 1, 10 % of tasks gained`);
  print(`   n  margin  discordance   nothing lost   margin + 1     margin + 5`);
  const broken: string[] = [];
  for (const n of sizes)
    for (const margin of margins) {
      const judged = new PairedGates(n, margin);
      for (const [name, gained] of Object.entries(discordances)) {
        const columns = [0, margin + 1, margin + 5].map((loss) => {
          const truth: PairedTruth = { lost: gained + loss, gained };
          const found = judged.outcomes(truth, gates, seedOf('gate bench', seed, n, margin, name, loss));
          const wrong = loss > margin ? found.passed : found.failed;
          if (wrong > mostWrong(gates)) broken.push(`n ${n}, margin ${margin}, ${name}, loss ${loss}: ${percent(wrong, gates)} %`);
          return shares(found, gates);
        });
        print(`${String(n).padStart(4)}  ${String(margin).padStart(6)}  ${name.padEnd(11)}  ${columns.join('  ')}`);
      }
    }
  return broken;
}

const shares = ({ passed, failed }: OutcomeCounts, gates: number): string => `${percent(passed, gates)} / ${percent(failed, gates)}`;

function kindTable(cells: readonly KindCell[], gates: number, seed: number, print: (line: string) => void): string[] {
  print(`other metrics, ${gates} gates a cell: % passed / % failed`);
  const broken: string[] = [];
  for (const cell of cells) {
    const found = countsOf(cell, gates, seed);
    const wrong = cell.worse ? found.passed : found.failed;
    if (wrong > mostWrong(gates)) broken.push(`${cell.name}, n ${cell.n}: ${percent(wrong, gates)} %`);
    print(`${String(cell.n).padStart(4)}  ${shares(found, gates)}  ${cell.name}`);
  }
  return broken;
}

function countsOf(cell: KindCell, gates: number, seed: number): OutcomeCounts {
  const found = { passed: 0, failed: 0, inconclusive: 0 };
  for (let gate = 0; gate < gates; gate += 1) found[cell.judge(seedOf('gate bench', seed, cell.name, cell.n, gate))] += 1;
  return found;
}
