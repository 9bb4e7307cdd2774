/** Metrics that are compared only between runs in which some settings of their study are the same. */
import { canonicalJson } from '../../domain/ids.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { isSame, type Sides } from './compared.ts';

interface Needed<S extends SpecStudy> {
  readonly metrics: readonly GateMetricName[];
  /** The conditions that this is about; absent if it is about all. */
  readonly condition?: string;
  /** The settings are numbers of answers, on which `pass_at_1` does not depend. */
  readonly areNumbers?: true;
  /**
   * By the settings' names; null if the study does not measure these metrics.
   * @param spec of its run @param all those of all runs
   */
  settingsOf(
    study: S,
    spec: Manifest['spec'],
    all: readonly Manifest['spec'][],
  ): Readonly<Record<string, number | string>> | null;
}

/** `settingsOf` is a method, so that a kind fits the general type. */
export type NeededSettings<S extends SpecStudy = SpecStudy> = Needed<S>;

/** Each as a note shows it, for metrics that depend on all of them. */
export const settingTexts = (settings: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, typeof value === 'string' ? value : canonicalJson(value)]),
  );

export const haveSameSettings = <S extends SpecStudy>(
  sides: Sides<S>['sides'],
  needed: Pick<NeededSettings<S>, 'settingsOf'>,
): boolean => isSame(sides, (study, spec, all) => needed.settingsOf(study, spec, all));
