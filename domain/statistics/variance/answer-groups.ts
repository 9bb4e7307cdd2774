/** Answers of a crossed design: every model answers every task in every wording, once or several times. */

/** Values of one cell: one list per repetition, with the values of its samples. No list is empty. */
export type CellAnswers = readonly (readonly number[])[];

/** A task's cells by model and wording, both in the same order for every task. */
export type TaskAnswers = readonly (readonly CellAnswers[])[];

/** What the variance parts need to know of a task: means of its cells, and sums over its cells. */
export interface TaskSums {
  /** Mean of each cell, models outermost: the mean over its repetitions of their means. */
  readonly means: readonly number[];
  /** Squared deviations of samples from the mean of their repetition, and their degrees of freedom. */
  readonly withinRepetitions: number;
  readonly sampleFreedom: number;
  /** Squared deviations of repetitions from the mean of their cell, and their degrees of freedom. */
  readonly betweenRepetitions: number;
  readonly repetitionFreedom: number;
  /** How often the variance of a sample is contained in the squared deviations of repetitions. */
  readonly samplesInRepetitions: number;
  /** How often the variance of a repetition, and of a sample, is contained in the sum of the variances of `means`. */
  readonly repetitionsInMeans: number;
  readonly samplesInMeans: number;
  readonly answers: number;
}

export function taskSums(task: TaskAnswers): TaskSums {
  const cells = task.flat();
  const sum = (value: (cell: CellAnswers) => number): number => cells.reduce((total, cell) => total + value(cell), 0);
  const perSample = (cell: CellAnswers): number => cell.reduce((total, { length }) => total + 1 / length, 0);
  return {
    means: cells.map(cellMean),
    withinRepetitions: sum((cell) => cell.reduce((total, repetition) => total + squaredDeviations(repetition), 0)),
    sampleFreedom: sum((cell) => cell.reduce((total, { length }) => total + length - 1, 0)),
    betweenRepetitions: sum((cell) => squaredDeviations(cell.map(average))),
    repetitionFreedom: sum(({ length }) => length - 1),
    samplesInRepetitions: sum((cell) => (1 - 1 / cell.length) * perSample(cell)),
    repetitionsInMeans: sum(({ length }) => 1 / length),
    samplesInMeans: sum((cell) => perSample(cell) / cell.length ** 2),
    answers: sum((cell) => cell.reduce((total, { length }) => total + length, 0)),
  };
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const cellMean = (cell: CellAnswers): number => average(cell.map(average));

function squaredDeviations(values: readonly number[]): number {
  const middle = average(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}
