/** What the numbers mean, in the words that every format prints. */

export const aslMethod = [
  'EVALOOP sends each task in a circle: the model writes code, the code is tested, the same model summarizes its code in one sentence, and that sentence is the next prompt. A task goes on until its code fails or it has passed M loops.',
  'ASL (Average Sustainable Loops) = sum of n_i · i² · s_i over i = 1..M, divided by M · T. Here n_i tasks sustained exactly i loops, T is all tasks, and s_i is their mean similarity: ((l − 1) + Sim) / l for a task that broke after l < M loops, where the judge scores Sim between the last prompt that worked and the summary that did not, and 1 for a task that passed all M. ASL runs from 0 to M. "ASL, s = 1" leaves similarity out and needs no judge. ASL of two judges are two scores.',
  'Intervals of ASL, pass@1, the drop and the survival curves are Gaffke’s bounds over tasks; for a share of tasks that is Clopper and Pearson’s exact interval. They hold for any number of tasks; several repetitions of a task count as one. Intervals that overlap are no test of a difference.',
  'A wrong, missing or late answer is a result of the model. Cells that ended by a limit of ours (a missing library, a value that cannot be compared) are left out of every estimate and counted as excluded; cells without a similarity count everywhere except in s_i and are listed as unscored. The ceiling is the share of tasks whose own reference solution passes: no model can be expected above it.',
] as const;

export const simulatedMeaning =
  'Simulated models are programs that play a model so that the machinery can be tried. Their rows say nothing about any real model.';
