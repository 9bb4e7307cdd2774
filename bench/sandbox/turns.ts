/** Measures contenders in alternating rounds, so that all run under the same conditions; ratios are per round. */
import { loadText, median } from '../machine.ts';

export interface Contender {
  readonly name: string;
  /** Programs a second. */
  measure(round: number): Promise<number>;
}

export interface Wanted {
  /** Names of contenders: the rate of `of` is divided by that of `by`. */
  readonly of: string;
  readonly by: readonly string[];
  readonly atLeast: number;
}

/** Rates by contender and round. Of several names in `by`, the fastest by median counts. */
export async function takeTurns(
  title: string,
  contenders: readonly Contender[],
  wanted: readonly Wanted[],
  rounds: number,
  print: (line: string) => void,
): Promise<void> {
  print(`\n${title}`);
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of contenders) rates.get(name)?.push(await measure(round));
    const found = contenders.map(({ name }) => `${name} ${rates.get(name)?.at(-1)?.toFixed(0)}/s`);
    print(`  round ${round + 1}: ${found.join(', ')}; ${loadText()}`);
  }
  const rateOf = (name: string): readonly number[] => {
    const measured = rates.get(name);
    if (measured === undefined) throw new Error(`${name} is not a contender`);
    return measured;
  };
  for (const { of, by, atLeast } of wanted) {
    for (const name of by) {
      const ratios = rateOf(of).map((rate, round) => rate / (rateOf(name)[round] ?? Number.NaN));
      print(`  ${of} / ${name}: ${ratioText(ratios)}`);
    }
    const best = by.toSorted((a, b) => median(rateOf(b)) - median(rateOf(a)))[0] as string;
    const ratio = median(rateOf(of).map((rate, round) => rate / (rateOf(best)[round] ?? Number.NaN)));
    print(
      `  => ${of} is ${ratio.toFixed(2)} x ${best}: ${ratio >= atLeast ? 'met' : 'MISSED'} ` +
        `(wanted: at least ${atLeast})`,
    );
  }
}

const ratioText = (ratios: readonly number[]): string =>
  `${median(ratios).toFixed(2)} [${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}]`;
