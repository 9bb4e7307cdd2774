/** The results of a kind of study: its derived tables and its part of reports. */
import type { CardSource, WorseVersion } from '../analysis/card/card-source.ts';
import type { RunDatabase } from '../analysis/database.ts';
import type { ExternalRanking } from '../analysis/external-ranking.ts';
import type { ComparedPrompts } from '../analysis/gate/changed-prompts.ts';
import type { GateConditions } from '../analysis/gate/conditions.ts';
import type { NeededSettings } from '../analysis/gate/needed-settings.ts';
import type { GateSource } from '../analysis/gate/compared.ts';
import type { ChosenSource } from '../analysis/multiverse/measured.ts';
import type { StudyReport } from '../analysis/report/study-report.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Row, TableName } from '../schemas/tables.ts';

export type DerivedTables = Partial<Record<TableName, readonly Row[]>>;

export interface StudyResults {
  /** The tables that `derive` returns. */
  readonly derives: readonly TableName[];
  /** Derived tables of all studies of this kind in a run, over its sealed pages. */
  derive(database: RunDatabase, manifest: Manifest): Promise<DerivedTables>;
  /**
   * The report part of one or more runs; empty without a study of this kind.
   * @param ranking an external ranking of the models to compare with
   */
  report(database: RunDatabase, ranking: ExternalRanking | null): Promise<StudyReport>;
  /** Name of the variants that word the same as this one. Default: all variants of a setting do. */
  variantGroup?(variant: string): string;
  /** Each task's values of several models: what `gate` judges and `compare` shows. */
  readonly gate: readonly GateSource[];
  /**
   * The conditions that `gate` may have of a study with these settings; a policy is refused that names others. Default:
   * `pass_at_1` of unchanged prompts. Those of a metric that is not listed are not checked.
   */
  conditions?(study: SpecStudy): readonly GateConditions[];
  /** Metrics of `gate` that are left out where runs have other settings, to say so. Default: none. */
  readonly neededSettings?: readonly NeededSettings[];
  /** How prompts that the study made are compared between runs, to say which are not the same. Default: not at all. */
  readonly comparedPrompts?: ComparedPrompts;
  /** The metrics that belong on a model's card. */
  readonly card: readonly CardSource[];
  /**
   * Whether the number of a task's questions follows from the answers, so that a model that fails early costs less, and
   * models have no rank by cost. Default: no.
   */
  readonly asksByAnswers?: true;
  /** Whether cards that an older program stored in a complete run may say otherwise than today's. Default: no. */
  mayHaveEarlierCards?(database: RunDatabase, manifest: Manifest): Promise<boolean>;
  /** Versions that are shown to be worse than older ones, for the cards. Default: none. */
  worse?(database: RunDatabase): Promise<readonly WorseVersion[]>;
  /** What `multiverse` follows. Default: what `gate` gives, without choices that only this study has. */
  readonly multiverse?: readonly ChosenSource[];
}
