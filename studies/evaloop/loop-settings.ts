/**
 * The further settings under which the loop is run: other summary prompts and temperatures (EVALOOP, section 3.4), and
 * sampled runs (3.5).
 */
import type { EvaloopStudy } from './settings.ts';
import type { SummaryPromptName } from './summary-prompts.ts';

export interface LoopSetting {
  /** The name in the cell key and the tables. */
  readonly name: string;
  /** Used in every loop. */
  readonly summaryPrompt: SummaryPromptName;
  /** For generating and summarizing, never for the judge; null: the study's own. */
  readonly temperature: number | null;
  /** Repetitions per task; null: the study's own. */
  readonly repetitions: number | null;
}

/** Name of the study's own setting in the cell key. */
export const defaultSetting = 'default';

const baseline: LoopSetting = { name: defaultSetting, summaryPrompt: 'initial', temperature: null, repetitions: null };

/** Name of the sampled runs' setting in the cell key. */
export const sampledSetting = 'sampled';

type SettingLists = Pick<
  EvaloopStudy['settings'],
  'summaryPrompts' | 'temperatures' | 'sampledRuns' | 'sampledTemperature'
>;

/** The baseline first, then one change at a time: each summary prompt, each temperature, and the sampled runs. */
export const loopSettings = ({
  summaryPrompts,
  temperatures,
  sampledRuns,
  sampledTemperature,
}: SettingLists): LoopSetting[] => [
  baseline,
  ...summaryPrompts.map((name) => ({ ...baseline, name: `summary_${name}`, summaryPrompt: name })),
  ...temperatures.map((temperature) => ({ ...baseline, name: `temperature_${temperature}`, temperature })),
  ...(sampledRuns === 0
    ? []
    : [{ ...baseline, name: sampledSetting, temperature: sampledTemperature, repetitions: sampledRuns }]),
];

/** Throws for a setting that the study does not have. */
export function loopSetting({ name: study, settings }: EvaloopStudy, name: string): LoopSetting {
  const setting = loopSettings(settings).find((one) => one.name === name);
  if (!setting) throw new Error(`study ${study} has no setting ${name}; its plan does not match its spec`);
  return setting;
}
