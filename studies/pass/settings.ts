/** Values derived from a study's settings. */
import type { SpecStudy } from '../../schemas/spec.ts';

export type PassStudy = Extract<SpecStudy, { kind: 'pass' }>;

/** The name of a temperature's setting in the cell key and the tables. */
export const settingName = (temperature: number | null): string =>
  temperature === null ? 'default' : `temperature_${temperature}`;

/** Throws for a setting that the study does not have. */
export function temperatureOf(
  { name, settings }: Pick<PassStudy, 'name' | 'settings'>,
  setting: string,
): number | null {
  const temperature = settings.temperatures.find((one) => settingName(one) === setting);
  if (temperature === undefined)
    throw new Error(`study ${name} has no setting ${setting}; its plan does not match its spec`);
  return temperature;
}

const usualKs = [1, 5, 10, 100] as const;

/** In ascending order. */
export const ksOf = ({ ks, samples }: Pick<PassStudy['settings'], 'ks' | 'samples'>): number[] =>
  (ks ?? usualKs.filter((k) => k <= samples)).toSorted((a, b) => a - b);
