/** What a kind of study demands of a spec, how far a run of it may grow, and what its estimate rests on. Pure: no files, no network. */
import type { z } from 'zod';
import type { Fault } from '../domain/spec/faults.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';

/** A setting that names the model for a role. */
export interface RoleSetting {
  readonly setting: string;
  /** The model's id, or `without`. */
  readonly model: string;
  /** What stands there when the role is done without a model. */
  readonly without: string;
}

/** A setting that names a file, relative to the spec. */
export interface FileSetting {
  readonly setting: string;
  readonly file: string;
}

/** A setting that may name a file in place of its value. */
export interface WrittenOut {
  readonly setting: string;
  /** What the file holds, for messages. */
  readonly what: string;
  readonly schema: z.ZodType;
}

/** How much is asked of each cell. More of it keeps what a run has. */
export interface Depth {
  readonly setting: string;
  readonly value: number;
}

export interface StudyRules<S extends SpecStudy = SpecStudy> {
  roleSettings?(study: S): readonly RoleSetting[];
  fileSettings?(study: S): readonly FileSetting[];
  /** Settings whose file is written out in the run's own spec, so that a resume needs nothing else. */
  readonly writtenOut?: readonly WrittenOut[];
  /** What is wrong with a study that fits its schema. Paths start at the study: `['settings', 'pairs']`. */
  faults?(study: S, spec: Spec): readonly Fault[];
  /** Settings in which more is an addition that extends a run; all others have to stay as they are. */
  readonly additive?: readonly string[];
  depth?(study: S): Depth;
  /** What an additive setting asked for in the run and no longer does in the spec, one phrase each. */
  lost?(old: S, now: S): readonly string[];
  /** What the estimate of these studies of one spec rests on, one sentence each. */
  assumptions?(studies: readonly S[], tier: string): readonly string[];
}
