/** How alike the judge finds the prompts where tasks broke (EVALOOP, section 2.2): one distribution per model. */
import type { JudgedBreaks } from '../loops/similarity.ts';
import { chartFrame, chartSvg } from './chart-frame.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import type { ModelNaming } from './model-name.ts';

/** The distributions of one study; nothing where none of its breaks is scored. */
export async function similarityFigure(models: readonly JudgedBreaks[], named: ModelNaming, colorOf: ModelColors): Promise<Html> {
  const [first] = models;
  if (first === undefined) return html``;
  const panels = await Promise.all(models.map((one) => panel(one, named, colorOf)));
  return html`<h3>Study ${first.study}: similarity where tasks broke</h3>
<p class="note">Similarity of the last prompt that passed and the one that broke, by judge ${first.judge}: tasks in steps of 0.05. Right of the dashes (${first.threshold} and more) a break is a sudden collapse, left of them drift.</p><div class="panels">${panels}</div>`;
}

async function panel(one: JudgedBreaks, named: ModelNaming, colorOf: ModelColors): Promise<Html> {
  const all = one.counts.reduce((sum, count) => sum + count, 0);
  const color = colorOf(one.model);
  return html`<figure><figcaption><span class="name">${named(one.run, one.model)}</span><span>${all} ${all === 1 ? 'break' : 'breaks'}</span></figcaption>${await distributionSvg(one, color)}</figure>
`;
}

function distributionSvg({ counts, threshold }: JudgedBreaks, color: string): Promise<Html> {
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
