/** What each model of a run has done in each study, and what it cost. */
import Table from 'cli-table3';
import { usdText } from '../../analysis/report/format.ts';
import type { ShownLane } from '../follow/making-lanes.ts';
import { laneUsdText, type RunSpend, solvedUsdText } from './spend-text.ts';
import { plain } from './terminal.ts';

/** The spend of a model in a study is in its first line, whatever it was asked for. */
export function laneTable(lanes: readonly ShownLane[], spend: RunSpend): string {
  const paid = lanes.map(({ study, model }) => laneUsdText(spend, study, model));
  const isPaid = paid.some((usd) => usd !== null);
  const head = ['study', 'model', 'cells done', 'answers', ...(isPaid ? ['spent', 'USD per solved task'] : [])];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const [index, { study, model, cellsDone, cells: all, answered, role }] of lanes.entries()) {
    const above = lanes[index - 1];
    const isSaid = above?.study === study && above.model === model;
    const money = isSaid ? ['(above)', ''] : [paid[index] ?? usdText(0), solvedUsdText(spend, study, model)];
    table.push([
      plain(study),
      `${plain(model)}${role === null ? '' : `, as ${role}`}`,
      `${cellsDone} / ${all}`,
      String(answered),
      ...(isPaid ? money : []),
    ]);
  }
  return table.toString();
}
