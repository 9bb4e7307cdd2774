/** Rules of plain pass@k. */
import type { Fault } from '../../domain/spec/faults.ts';
import type { StudyRules } from '../rules.ts';
import { ksOf, type PassStudy } from './settings.ts';

export const passRules: StudyRules<PassStudy> = {
  faults: ({ settings }) => [
    ...kFaults(settings),
    ...repeatedFaults('ks', settings.ks ?? []),
    ...repeatedFaults('temperatures', settings.temperatures),
  ],
  additive: ['samples', 'ks', 'temperatures'],
  depth: ({ settings }) => ({ setting: 'samples', value: settings.samples }),
  lost: ({ settings: old }, { settings: now }) => [
    ...old.temperatures
      .filter((temperature) => !now.temperatures.includes(temperature))
      .map((temperature) => `temperature ${temperature} is no longer in the spec`),
    ...otherKs(old, now),
  ],
};

type Settings = PassStudy['settings'];

/** A run without new calls is not analysed again. */
function otherKs(old: Settings, now: Settings): string[] {
  const [before, after] = [ksOf(old), ksOf(now)].map((ks) => ks.join(', '));
  return before === after || now.samples > old.samples
    ? []
    : [`ks ${before} in the run, ${after} in the spec; they may change only if samples grows`];
}

const kFaults = ({ ks = [], samples }: Settings): Fault[] =>
  ks.flatMap((k, at) =>
    k > samples ? [{ path: ['settings', 'ks', at], rule: `must be at most samples (${samples}), got ${k}` }] : [],
  );

const repeatedFaults = (setting: string, values: readonly (number | null)[]): Fault[] =>
  values.flatMap((value, at) =>
    values.indexOf(value) < at ? [{ path: ['settings', setting, at], rule: `duplicate ${value}; remove one` }] : [],
  );
