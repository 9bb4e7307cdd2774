/** A universe of a multiverse analysis: one option of every choice (Steegen and others 2016). */
import type { ChoiceName } from '../../schemas/tables/multiverse.ts';

/** A choice that an analysis makes. */
export interface Choice {
  readonly name: ChoiceName;
  /** The run's own option comes first. */
  readonly options: readonly [string, ...string[]];
}

/** By choice, the option taken. */
export type Options = Readonly<Partial<Record<ChoiceName, string>>>;

/** Every combination of options, the run's own first; the last choice changes fastest. */
export const combinationsOf = (choices: readonly Choice[]): Options[] =>
  choices.reduce<Options[]>(
    (found, { name, options }) => found.flatMap((one) => options.map((option) => ({ ...one, [name]: option }))),
    [{}],
  );
