/** EVALOOP's cells: every task unchanged, under each attack, and under each further setting. */
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import { attackVariantNames, type AttackSettings } from './attacks/variants.ts';
import { loopSettings } from './loop-settings.ts';
import type { EvaloopStudy } from './settings.ts';

/** One change at a time: attacks under the default setting, settings on the unchanged prompt. */
export function taskCells({ repetitions, settings }: EvaloopStudy, { taskId, language }: Task): Cell[] {
  const repeated = (variant: string, setting: string, times: number): Cell[] =>
    Array.from({ length: times }, (_, repetition) => ({ taskId, language, variant, setting, repetition }));
  const [, ...further] = loopSettings(settings);
  return [
    ...repeated('original', 'default', repetitions),
    ...attackVariantNames(attackSettings(settings)).flatMap((variant) => repeated(variant, 'default', repetitions)),
    ...further.flatMap((setting) => repeated('original', setting.name, setting.repetitions ?? repetitions)),
  ];
}

export const attackSettings = ({ attacks, attackDraws, attackSeed }: EvaloopStudy['settings']): AttackSettings => ({
  attacks,
  draws: attackDraws,
  seed: attackSeed,
});
