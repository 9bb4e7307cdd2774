/** Tables 2 to 6 of the RobuNFR paper as printed, as lines of cells; known errors are marked. */
import published from '../../../../data/published/robunfr.json' with { type: 'json' };

/** A value with its STDEV and its change in percent of Function-Only; in table 4, of the old version. */
export interface TableCell {
  readonly value: number;
  readonly stdev: number | null;
  readonly deltaPercent: number | null;
  /** Whether this is a known error of the paper. */
  readonly slip: boolean;
}

export type PublishedTable = 2 | 3 | 4 | 5 | 6;

/** A column of a table: pass by suite, or a measure by benchmark. */
export interface TablePlace {
  readonly table: PublishedTable;
  /** HumanEval or MBPP, with -ET in tables 2 and 5. */
  readonly benchmark: string;
  readonly metric: string;
}

/** One cell with the labels of its line. */
export interface PlacedCell extends TablePlace {
  readonly dimension: string;
  /** Model, pair of versions, or workflow. */
  readonly who: string;
  readonly cell: TableCell;
}

type Slip = (typeof published.known_slips)[number];
type Where = {
  readonly table: PublishedTable;
  readonly dimension: string;
  readonly benchmark: string;
  readonly model?: string;
  readonly metric?: string;
};

const isSlip = ({ table, dimension, benchmark, model, metric }: Where): boolean =>
  published.known_slips.some(
    (slip: Slip) =>
      slip.table === table &&
      slip.dimension === dimension &&
      slip.model === model &&
      slip.benchmark === benchmark &&
      (slip.metric === undefined || slip.metric === metric),
  );

/** Names the versions that table 4 compares. */
const pairName = (model: string): string => {
  const versions = published.versions.find((one) => one.model === model);
  if (versions === undefined) return model;
  return `${versions.old} to ${versions.new}${versions.same_model ? '' : ' (two different models)'}`;
};

const pass = 'pass_at_1';

export const printedCells: readonly PlacedCell[] = [
  ...published.table2.map(({ dimension, model, benchmark, pass_at_1, stdev, delta_percent }) => ({
    ...{ table: 2 as const, benchmark, metric: pass, dimension, who: model },
    cell: {
      value: pass_at_1,
      stdev,
      deltaPercent: delta_percent,
      slip: isSlip({ table: 2, dimension, benchmark, model }),
    },
  })),
  ...published.table3.map(({ dimension, model, benchmark, metric, value, stdev, delta_percent }) => ({
    ...{ table: 3 as const, benchmark, metric, dimension, who: model },
    cell: {
      value,
      stdev,
      deltaPercent: delta_percent,
      slip: isSlip({ table: 3, dimension, benchmark, model, metric }),
    },
  })),
  ...published.table4.map(({ dimension, model, benchmark, metric, old, stdev, delta_percent }) => ({
    ...{ table: 4 as const, benchmark, metric, dimension, who: pairName(model) },
    cell: {
      value: old,
      stdev,
      deltaPercent: delta_percent,
      slip: isSlip({ table: 4, dimension, benchmark, model, metric }),
    },
  })),
  ...published.table5.map(({ workflow, dimension, benchmark, pass_at_1, stdev, delta_percent }) => ({
    ...{ table: 5 as const, benchmark, metric: pass, dimension, who: workflow },
    cell: { value: pass_at_1, stdev, deltaPercent: delta_percent, slip: false },
  })),
  ...published.table6.map(({ workflow, dimension, benchmark, metric, value, stdev, delta_percent }) => ({
    ...{ table: 6 as const, benchmark, metric, dimension, who: workflow },
    cell: { value, stdev, deltaPercent: delta_percent, slip: false },
  })),
];
