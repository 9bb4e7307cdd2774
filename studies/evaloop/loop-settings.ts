/** The settings under which the loop is run again to see whether models keep their ranks (EVALOOP, section 3.4). */
import type { SummaryPromptName } from './summary-prompts.ts';

export interface LoopSetting {
  /** As the cell key and the tables have it. */
  readonly name: string;
  /** Used in every loop. */
  readonly summaryPrompt: SummaryPromptName;
  /** Of generating and summarizing, never of the judge; null: the study's own. */
  readonly temperature: number | null;
}

const baseline: LoopSetting = { name: 'default', summaryPrompt: 'initial', temperature: null };

/** The baseline first, then each other summary prompt at the study's temperature and each temperature with the initial prompt. */
export const loopSettings = (summaryPrompts: readonly SummaryPromptName[], temperatures: readonly number[]): LoopSetting[] => [
  baseline,
  ...summaryPrompts
    .filter((name) => name !== baseline.summaryPrompt)
    .map((name) => ({ ...baseline, name: `summary_${name}`, summaryPrompt: name })),
  ...temperatures.map((temperature) => ({ ...baseline, name: `temperature_${temperature}`, temperature })),
];
