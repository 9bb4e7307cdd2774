/**
 * The rules of a kind of study for a spec: validity, how a run may be extended, and assumptions of its estimate. Pure:
 * no files, no network.
 */
import type { z } from 'zod';
import type { Fault } from '../domain/spec/faults.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';

/** A setting that names the model for a role. */
export interface RoleSetting {
  readonly setting: string;
  /** The place of the model's id within the setting's value. Default: it is the value. */
  readonly within?: Fault['path'];
  /** The model's id, or `without`. */
  readonly model: string;
  /** The value that means the role needs no model. Absent if there is none. */
  readonly without?: string;
}

/** A setting that names a file, relative to the spec. */
export interface FileSetting {
  readonly setting: string;
  readonly file: string;
}

/** A setting that may name a file instead of holding its value. */
export interface WrittenOut {
  readonly setting: string;
  /** The file's content, for messages. */
  readonly what: string;
  readonly schema: z.ZodType;
}

/** How much is asked per cell. Raising it keeps the results that a run has. */
export interface Depth {
  readonly setting: string;
  readonly value: number;
}

/** A commented spec that `init` writes and that runs without changes. */
export interface StudyExample {
  readonly file: string;
  readonly text: string;
}

export interface StudyRules<S extends SpecStudy = SpecStudy> {
  roleSettings?(study: S): readonly RoleSetting[];
  fileSettings?(study: S): readonly FileSetting[];
  /** Settings whose file is copied into the run's own spec, so that `resume` does not need the file. */
  readonly writtenOut?: readonly WrittenOut[];
  /** Faults of a study that the schema does not find. Paths start at the study: `['settings', 'pairs']`. */
  faults?(study: S, spec: Spec): readonly Fault[];
  /** Settings that may grow when a run is extended; all others must not change. */
  readonly additive?: readonly string[];
  depth?(study: S): Depth;
  /** What additive settings had in the run but no longer have in the spec, one phrase each. */
  lost?(old: S, now: S): readonly string[];
  /** Assumptions of the estimate for these studies of one spec, one sentence each. */
  assumptions?(studies: readonly S[], tier: string): readonly string[];
}
