/** The settings under which the loop is run again: whether models keep their ranks (EVALOOP, section 3.4), and greedy against sampled runs (3.5). */
import type { EvaloopStudy } from './study.ts';
import type { SummaryPromptName } from './summary-prompts.ts';

export interface LoopSetting {
  /** As the cell key and the tables have it. */
  readonly name: string;
  /** Used in every loop. */
  readonly summaryPrompt: SummaryPromptName;
  /** Of generating and summarizing, never of the judge; null: the study's own. */
  readonly temperature: number | null;
  /** Times that a task goes round; null: the study's own. */
  readonly repetitions: number | null;
}

const baseline: LoopSetting = { name: 'default', summaryPrompt: 'initial', temperature: null, repetitions: null };

/** Setting of the sampled runs in the cell key. */
export const sampledSetting = 'sampled';

type SettingLists = Pick<EvaloopStudy['settings'], 'summaryPrompts' | 'temperatures' | 'sampledRuns' | 'sampledTemperature'>;

/** The baseline first, then one change at a time: each other summary prompt, each temperature, and the sampled runs. */
export const loopSettings = ({ summaryPrompts, temperatures, sampledRuns, sampledTemperature }: SettingLists): LoopSetting[] => [
  baseline,
  ...summaryPrompts.map((name) => ({ ...baseline, name: `summary_${name}`, summaryPrompt: name })),
  ...temperatures.map((temperature) => ({ ...baseline, name: `temperature_${temperature}`, temperature })),
  ...(sampledRuns === 0 ? [] : [{ ...baseline, name: sampledSetting, temperature: sampledTemperature, repetitions: sampledRuns }]),
];

/** Throws for a name that the study does not ask for. */
export function loopSetting({ name: study, settings }: EvaloopStudy, name: string): LoopSetting {
  const setting = loopSettings(settings).find((one) => one.name === name);
  if (!setting) throw new Error(`study ${study} has no setting ${name}; its plan and its spec do not belong together`);
  return setting;
}
