/** What a report over several runs says of them beside each other. */
import type { Comparison } from '../../domain/compare/comparison.ts';

/** Over runs in the order that they were named; each run is compared with the one before it. */
export interface AcrossRuns {
  readonly runs: readonly string[];
  /** Those of all runs, by area. */
  readonly differences: readonly RunDifference[];
  readonly tasks: readonly TaskOverlap[];
  readonly models: readonly ModelAcross[];
  /** Which metrics of which studies are not compared, and why. */
  readonly leftOut: readonly string[];
}

/** A setting, version or name that is not the same in all runs. */
export interface RunDifference {
  readonly area: string;
  /** Empty for the whole model, study, benchmark or provider, which is then not in every run. */
  readonly name: string;
  /** By run; null if the run has no such thing. */
  readonly values: readonly (string | null)[];
}

/** The tasks of one benchmark in two runs. */
export interface TaskOverlap {
  readonly old: string;
  readonly now: string;
  readonly benchmark: string;
  /** The same prompt and the same tests, judged by the same suites. */
  readonly same: number;
  /** In both runs, with another prompt or other tests. */
  readonly changed: readonly string[];
  /** In both runs with the same prompt and tests, which other suites judge. */
  readonly otherSuites: readonly string[];
  /** Which suites these are in each run. */
  readonly suiteNotes: readonly string[];
  readonly onlyOld: readonly string[];
  readonly onlyNow: readonly string[];
}

/** A model that two runs share, in one metric of one study. */
export interface ModelAcross {
  readonly old: string;
  readonly now: string;
  readonly model: string;
  /** The newer run is its first model, the older one its second. */
  readonly comparison: Comparison;
  /** Adjusted by Holm for all models of this metric and these two runs. */
  readonly pHolm: number;
}
