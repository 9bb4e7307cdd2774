/** Explains PartialOrderEval's results. */
import { paragraph, type Section, section } from '../../../analysis/report/part.ts';

const paragraphs = [
  'PartialOrderEval asks every task with prompts of different detail: minimal (only preamble and signature), the ' +
    'benchmark’s original, a maximally detailed description, and reductions of that description: summaries with a ' +
    'maximum number of words, samples of its paragraphs, and versions with a block of sentences masked. Preamble, ' +
    'signature and imports are the same in all prompts.',
  'pass@1 of a level is the mean over tasks. If a level has several prompts for a task, the task’s score is the ' +
    'share of them that passed. Intervals are Gaffke’s bounds over tasks: they assume only scores between 0 and 1, ' +
    'keep their 95 % with few tasks and near 0 and 1, and equal Clopper and Pearson’s if each task has one prompt. ' +
    'A level is sufficient if its pass@1 is within x of the maximal prompt’s. The interval of the least sufficient ' +
    'level runs from the first level that is not shown to be insufficient to the first that is shown to be sufficient.',
  'More detail should never hurt. Every pair of levels with less and more detail is tested, paired by task: ' +
    'McNemar’s exact test if each level has one prompt per task, otherwise the sign-flip test, which swaps the two ' +
    'levels within tasks. All pairs of a model are one family, adjusted by Holm and by Benjamini and Hochberg. The ' +
    'original is not part of the order.',
  'If the check model is also under study, the maximal prompts were selected by its own success: its values at all ' +
    'levels except minimal and original are too high, and are marked.',
] as const;

export const curvesMethod: Section = section('How to read the curves of detail', paragraphs.map(paragraph), {
  folded: true,
});
