/** Levels with several prompts: another number of draws is a mean over other paragraphs, or other masked blocks. */
import type { NeededSettings } from '../../../analysis/gate/needed-settings.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';

const drawn: readonly string[] = ['paragraphs', 'mask'];

export const isDrawn = (augmentation: string): boolean => drawn.includes(augmentation);

export const drawNumbers: NeededSettings<Extract<SpecStudy, { kind: 'specificity' }>> = {
  ...{ metrics: ['pass_at_detail', 'sufficient_detail'], condition: drawn.join('; '), areNumbers: true },
  settingsOf: ({ settings: { draws } }) => ({ draws }),
};
