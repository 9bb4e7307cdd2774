/** Labels in PartialOrderEval: the summaries are labelled. */
import type { Task } from '../../schemas/task.ts';
import type { StudyLabels } from '../labels/study-labels.ts';
import { frameOf } from './make-set.ts';
import { proposalIn, proposalVersion, proposeMessages } from './propose.ts';
import { labellersOf, type SpecificityStudy, taxonomyOf } from './settings.ts';

export const specificityLabels: StudyLabels<SpecificityStudy> = {
  promptsAre: 'summaries',
  taxonomy: ({ settings }) => taxonomyOf(settings),
  labellers: ({ settings }) => labellersOf(settings),
  texts: (_study, task, variants) =>
    variants.flatMap(({ variant, augmentation, prompt }) =>
      augmentation !== 'summary' || prompt === null ? [] : [{ variant, text: summaryText(task, prompt) }],
    ),
  proposal: { version: proposalVersion, messages: proposeMessages, read: proposalIn },
};

/** A prompt's description without signature and quotes. */
export function summaryText(task: Task, prompt: string): string {
  const { head, tail, language } = frameOf(task);
  if (language === 'cpp') return prompt.slice(head.length + 2, prompt.length - tail.length - 2).trim();
  return prompt
    .slice(head.length)
    .replaceAll(/"""|'''/g, '')
    .trim();
}
