/**
 * Tells refusals by chance from a limit. A limit refuses nearly all beyond it, and hardly any at a pace below what it accepted. An overloaded gateway
 * refuses its share of calls at any pace: slower calls do not help.
 */

/** Calls since the pace began to be watched, and of them those that were refused among calls that were taken. */
interface Watch {
  calls: number;
  refused: number;
}

/** Calls of late, and what share was refused when it was found out that the pace does not matter. */
interface Chance {
  calls: number;
  refused: number;
  readonly share: number;
}

/** Changed in place. All of it is absent in what older programs kept. */
export interface ChanceRefusals {
  /** How closely refusals follow one another: a cumulative sum, up with each refusal, down with each other call. */
  density?: number;
  watch?: Watch | null;
  /** The endpoint refuses a share of calls whatever their pace. */
  chance?: Chance | null;
  /** Lone refusals that show it; twice as many each time that it turned out otherwise. */
  proof?: number;
}

/** Sinks as long as fewer than two of seven calls are refused. */
const sinkPerCall = 0.4;
/** Two refusals among so few others that calls between them say nothing. */
const closeTogether = 2;
/** Chance comes to this about once in 20,000,000 calls where a tenth is refused, and once in a thousand where a fifth is. */
const farTooClose = 10;
const firstProof = 6;
const mostProof = 160;
/** Calls of late. */
const lateCalls = 400;
const fewestRefused = 12;

export function noteCall(refusals: ChanceRefusals): void {
  refusals.density = Math.max(0, (refusals.density ?? 0) - sinkPerCall);
  if (refusals.watch) refusals.watch.calls += 1;
  const { chance } = refusals;
  if (!chance) return;
  chance.calls += 1;
  if (chance.calls < lateCalls) return;
  chance.calls /= 2;
  chance.refused /= 2;
}

/** Counts one; whether it is no longer chance, as refusals follow each other or are many more than they were. */
export function contradictsChance(refusals: ChanceRefusals, chance: Chance): boolean {
  const density = densityWithOne(refusals);
  chance.refused += 1;
  const isMore = chance.refused >= fewestRefused && chance.refused > chance.calls * (3 * chance.share + 0.02);
  if (density < farTooClose && !isMore) return false;
  refusals.chance = null;
  refusals.proof = Math.min(mostProof, 2 * (refusals.proof ?? firstProof));
  forgetWatch(refusals);
  return true;
}

/** Whether one more refusal follows others closely. */
export const isDense = (refusals: ChanceRefusals): boolean => densityWithOne(refusals) >= closeTogether;

/** One among calls that were taken, at a pace that should be free of them. Whether there were enough to say that the pace does not matter. */
export function noteLone(refusals: ChanceRefusals): boolean {
  refusals.watch ??= { calls: 1, refused: 0 };
  const { watch } = refusals;
  watch.refused += 1;
  if (watch.refused < (refusals.proof ?? firstProof)) return false;
  refusals.chance = { calls: watch.calls, refused: watch.refused, share: watch.refused / watch.calls };
  forgetWatch(refusals);
  return true;
}

function forgetWatch(refusals: ChanceRefusals): void {
  refusals.watch = null;
  refusals.density = 0;
}

/** The refused call itself was counted as one that was not. */
function densityWithOne(refusals: ChanceRefusals): number {
  refusals.density = (refusals.density ?? 0) + 1 + sinkPerCall;
  return refusals.density;
}
