/** Explanations of the numbers that every format of a report prints. */

/** Holds for every kind of study. */
export const countingMethod = [
  "A wrong, missing or late answer counts as the model's result. Cells that ended because of a limit of evenkeel (a " +
    'missing library, a value that cannot be compared), or of a task whose own reference has no output to compare ' +
    'with, are counted as excluded and are in no estimate, but for the parts of them that were judged. Cells without ' +
    'a similarity score are in all estimates except s_i (the mean similarity) and are ' +
    "listed as unscored. The ceiling is the share of tasks whose own reference solution passes the benchmark's " +
    'tests. Where a reference fails, it, the tests or a limit of evenkeel is at fault: a model can be expected to ' +
    'pass such a task only if the reference is.',
] as const;

export const simulatedMeaning =
  'Simulated models are programs that answer like a model, for trying out evenkeel. ' +
  'Their rows say nothing about any real model.';
