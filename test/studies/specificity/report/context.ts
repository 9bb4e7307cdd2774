import type { SpecificityStudyReport } from '../../../../studies/specificity/report/data.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

export const context: ReportContext = {
  severalRuns: false,
  model: (_run, id, under) => ({ text: id, ...(under === undefined ? {} : { under }) }),
  colorOf: () => 'black',
  exampleOf: () => undefined,
  examples: [],
};

export const study: SpecificityStudyReport = {
  ...{ run: 'r', study: 'detail', benchmark: 'b', check: null },
  ...{ curve: [], summary: [], pairs: [], sizes: [], sets: [], flagged: [], reviews: [] },
  themes: { counts: [], agreement: [], passing: [] },
  drivers: { outcomes: [], speedups: [], pragmas: [] },
};
