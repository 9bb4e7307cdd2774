/** Colours for better and worse. */
import type { DataCell } from '../../../analysis/report/part.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';

type Tone = Pick<DataCell, 'tone'>;

/** Changes of this many percent and more get the strongest colour. */
const strongest = 50;
const mostStrength = 45;
const verdictStrength = 30;

/** Better or worse by the measure's direction; larger changes get stronger colours. */
export function changeTone(metric: string, percent: number): Tone {
  const direction = Object.entries(solutionMetrics).find(([name]) => name === metric)?.[1].direction ?? 'higher';
  const strength = Math.min(1, Math.abs(percent) / strongest) * mostStrength;
  return { tone: { good: percent > 0 === (direction === 'higher'), strength } };
}

/** No colour if the verdict is neither better nor worse. */
export const verdictTone = (verdict: string): Tone =>
  verdict === 'better' || verdict === 'worse'
    ? { tone: { good: verdict === 'better', strength: verdictStrength } }
    : {};

export const verdictText = (verdict: string): string => verdict.replace('_', ' ');
