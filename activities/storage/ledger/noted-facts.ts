/** Facts that every ledger counts for `progress`: their names, and what they say (JSON). */
import type { Failing, Preparing } from './ledger-counts.ts';

/** A reference or mutations that take long; it counts until the result is stored. */
export interface NotedPreparing extends Preparing {
  /** The key of the reference, or the name of the fact with the mutations. */
  readonly result: string;
}

export const preparingUnder = (epoch: number): string => `preparing/${epoch}/`;
export const preparingFact = (epoch: number, { result }: NotedPreparing): string => `${preparingUnder(epoch)}${result}`;

/** A model whose calls all fail; it counts until the model answers. */
export type NotedFailing = Failing;

export const failingUnder = (epoch: number): string => `failing/${epoch}/`;
export const failingFact = (epoch: number, { answeringModel, sinceMs }: NotedFailing): string =>
  `${failingUnder(epoch)}${answeringModel}/${sinceMs}`;

/** Names of the facts that count replies whose loss was accepted, as `{ replies }`. */
export const acceptedLossesPrefix = 'accepted losses/';

/** Names of the facts that count answers cut at a length, as `{ model, answers }`. */
export const cutAnswersPrefix = 'cut answers/';

/** Names of the facts with a task's failing mutations, for simulated models; one for each task that was tried. */
export const mutationsPrefix = 'failing-mutations/';
