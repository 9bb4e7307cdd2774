import type { ReportData } from './data.ts';
import { modelColor } from './style.ts';

/** CSS colour of a model id; the same in every part of one report. */
export type ModelColors = (model: string) => string;

/** Colours by first appearance on the boards, so that the best models of a large field differ most. */
export function modelColors({ leaderboard, calls }: ReportData): ModelColors {
  const models = [...new Set([...leaderboard.map((row) => row.model), ...calls.map((row) => row.model)])];
  return (model) => modelColor(Math.max(0, models.indexOf(model)));
}
