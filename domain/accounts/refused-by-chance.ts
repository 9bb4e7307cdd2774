/**
 * Distinguishes random refusals from a limit. A limit refuses nearly all calls beyond it,
 * and hardly any at a pace below what it accepted. An overloaded gateway refuses a share of calls at any pace:
 * calling more slowly does not help.
 */

/** Calls since the watch began, and how many of them were refused while others were accepted. */
interface Watch {
  calls: number;
  refused: number;
}

/** Recent calls, and the share that was refused when it was found that the pace does not matter. */
interface Chance {
  calls: number;
  refused: number;
  readonly share: number;
}

/** Changed in place. States stored by older programs have none of it. */
export interface ChanceRefusals {
  /** How closely refusals follow one another: a cumulative sum, up with each refusal, down with each other call. */
  density?: number;
  watch?: Watch | null;
  /** The endpoint refuses a share of calls whatever their pace. */
  chance?: Chance | null;
  /** Isolated refusals needed to conclude this; doubled each time the conclusion was wrong. */
  proof?: number;
}

/** The sum sinks as long as fewer than two of seven calls are refused. */
const sinkPerCall = 0.4;
/** Two refusals with so few calls between them that those say nothing. */
const closeTogether = 2;
/** Random refusals reach this about once in 20,000,000 calls if a tenth is refused, once in 1,000 if a fifth is. */
const farTooClose = 10;
const firstProof = 6;
const mostProof = 160;
/** How many calls count as recent. */
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

/** Counts a refusal. True if refusals can no longer be random: they follow each other, or are far more frequent. */
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

/** Counts a refusal, and says whether it follows others closely. */
export const isDense = (refusals: ChanceRefusals): boolean => densityWithOne(refusals) >= closeTogether;

/**
 * Counts an isolated refusal at a pace that should have none. True if there were enough to conclude that
 * the pace does not matter.
 */
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

/** Also undoes `noteCall`, which had counted the refused call as an accepted one. */
function densityWithOne(refusals: ChanceRefusals): number {
  refusals.density = (refusals.density ?? 0) + 1 + sinkPerCall;
  return refusals.density;
}
