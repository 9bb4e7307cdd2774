/** Survival and hazard of each model's tasks, loop by loop. */
import { withEvidence } from '../../../../analysis/report/examples/evidence.ts';
import type { SurvivalStep } from '../../../../domain/statistics/survival-steps.ts';
import type { LoopSurvival } from '../../results/survival/loop-survival.ts';
import { estimatedShare, share } from '../../../../analysis/report/cells.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

export const survivalTable = (survival: LoopSurvival, context: ReportContext): DataTable => ({
  ...loopTable(survival, context, ({ survival: value, interval }, first) => ({
    ...estimatedShare({ value, interval }),
    n: `${first.atRisk} cells`,
  })),
  title: 'Survival by loop',
  note:
    'Share of tasks that pass this loop (Kaplan–Meier), with 95 % intervals (Gaffke’s bounds over tasks; ' +
    'repetitions of a task count as one). Tasks that pass all loops are censored after the last.',
});

export const hazardTable = (survival: LoopSurvival, context: ReportContext): DataTable => ({
  ...loopTable(survival, context, hazardCell),
  title: 'Hazard by loop',
  note:
    'Share of the tasks that reached this loop and broke in it, with a 95 % interval (Gaffke’s bounds over tasks). ' +
    'Table loop_survival has both counts.',
});

function hazardCell({ hazard: value, hazardInterval: interval, ended, atRisk }: SurvivalStep): DataCell {
  return {
    ...estimatedShare({ value, interval }),
    n: `${atRisk} cells that reached the loop, of which ${ended} broke`,
  };
}

/** One column per loop, with a dash if no task of the model reached it. */
function loopTable(
  { run, study, curves }: LoopSurvival,
  context: ReportContext,
  cellOf: (step: SurvivalStep, first: SurvivalStep) => DataCell,
): DataTable {
  const most = Math.max(0, ...curves.map(({ steps }) => steps.length));
  const loops = Array.from({ length: most }, (_, index) => index);
  return {
    words: 1,
    heads: ['Model', ...loops.map((loop) => `loop ${loop + 1}`)],
    rows: curves.map(({ model: id, steps }) => {
      const cells = loops.map((loop) => {
        const [first, step] = [steps[0], steps[loop]];
        return first === undefined || step === undefined ? share(null) : cellOf(step, first);
      });
      const source = { run, study, model: id, variant: 'original', setting: 'default' };
      return withEvidence([context.model(run, id), ...cells], source, context);
    }),
  };
}
