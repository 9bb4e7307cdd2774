/** How similar the judge finds the prompts where tasks broke (section 2.2): one distribution per model. */
import type { JudgedBreaks } from '../../results/survival/similarity.ts';
import { chartFrame, chartSvg } from '../../../../analysis/report/charts/chart-frame.ts';
import type { Drawing } from '../../../../analysis/report/charts/drawing.ts';
import type { Figure } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

/** @param models those of one study that have a scored break */
export function similarityFigure(models: readonly JudgedBreaks[], { model, colorOf }: ReportContext): Figure {
  const [first] = models;
  return {
    kind: 'figure',
    title: 'Similarity of prompts where tasks broke',
    note:
      `Number of tasks by the similarity of the last prompt that passed and the prompt that failed, in steps of ` +
      `0.05; judge ${first?.judge ?? ''}. Dashed line: the threshold ${first?.threshold ?? ''}; a break at or above ` +
      'it is a sudden collapse, below it drift.',
    panels: models.map((one) => {
      const all = one.counts.reduce((sum, count) => sum + count, 0);
      return {
        caption: model(one.run, one.model),
        aside: `${all} ${all === 1 ? 'break' : 'breaks'}`,
        chart: () => distributionSvg(one, colorOf(one.model)),
      };
    }),
  };
}

function distributionSvg({ counts, threshold }: JudgedBreaks, color: string): Promise<Drawing> {
  const bars = counts.map((count, bin) => ({ from: bin / counts.length, to: (bin + 1) / counts.length, count }));
  const most = Math.max(...counts);
  const x = { field: 'from', type: 'quantitative' as const, scale: { domain: [0, 1] }, axis: similarityAxis };
  const y = {
    field: 'count',
    type: 'quantitative' as const,
    scale: { domain: [0, most] },
    axis: { title: 'tasks', tickCount: Math.min(4, most), format: 'd' },
  };
  return chartSvg({
    ...chartFrame,
    height: 90,
    layer: [
      {
        data: { values: bars },
        mark: { type: 'bar', color, opacity: 0.75, binSpacing: 1 },
        encoding: { x: { ...x, bin: 'binned' }, x2: { field: 'to' }, y },
      },
      {
        data: { values: [{ from: threshold }] },
        mark: { type: 'rule', color: 'var(--muted)', strokeDash: [3, 3], strokeWidth: 1 },
        encoding: { x },
      },
    ],
  });
}

const similarityAxis = { title: 'similarity', values: [0, 0.2, 0.4, 0.6, 0.8, 1], format: '.1f', grid: false };
