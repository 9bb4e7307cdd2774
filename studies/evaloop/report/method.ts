/** The explanation of ASL that every format of a report prints. */
import { paragraph, type Section, section } from '../../../analysis/report/part.ts';

const texts = [
  'EVALOOP sends each task in a circle: the model writes code, the code is tested, the same model summarizes its ' +
    'code in one sentence, and that sentence is the next prompt. A task goes on until its code fails or it has ' +
    'passed M loops.',
  'ASL (Average Sustainable Loops) = sum of n_i · i² · s_i over i = 1..M, divided by M · T. Here n_i tasks ' +
    'sustained exactly i loops, T is all tasks, and s_i is their mean similarity: ((l − 1) + Sim) / l for a task ' +
    'that broke after l < M loops, where the judge scores Sim between the last prompt that worked and the summary ' +
    'that did not, and 1 for a task that passed all M. ASL ranges from 0 to M. "ASL, s = 1" ignores similarity and ' +
    'needs no judge. ASL values from different judges are not comparable. The drop is pass@1 minus the share of ' +
    'tasks that pass all M loops.',
  'Intervals of ASL, pass@1, the drop and the survival curves are Gaffke’s bounds over tasks; for a share of ' +
    'tasks that is Clopper and Pearson’s exact interval. They are valid for any number of tasks; repetitions of a ' +
    'task count as one. With several judges, the interval of ASL also allows for their choice (Student’s t over ' +
    'judges). Whether two intervals overlap is not a test of a difference.',
] as const;

export const aslMethod: Section = section('How to read ASL', texts.map(paragraph), { id: 'asl', folded: true });
