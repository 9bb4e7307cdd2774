/** A panel of judges that differ in strictness, each asked twice: ASL, and how far they agree. */
import { aslRows } from '../../domain/metrics/asl-rows.ts';
import { judgeMean, panelMean } from '../../domain/metrics/judges/panel-mean.ts';
import { alphaInterval } from '../../domain/statistics/intervals/alpha-interval.ts';
import { krippendorffIntervalAlpha } from '../../domain/statistics/krippendorff-interval-alpha.ts';
import type { Row } from '../../schemas/tables.ts';
import type { SimulatedEstimate } from './estimates.ts';
import { loopRows } from './loop-rows.ts';
import type { Random } from './random.ts';

const [maxLoops, repeats] = [10, 2];
/** Standard deviations of a judge, of a judge in a task, and of a repeat. */
const spread = { judge: 0.12, inTask: 0.08, repeat: 0.05 };
/** Every task breaks after this many loops, so that ASL depends on the judges alone. */
const sustained = 9;

const limited = (score: number): number => Math.min(1, Math.max(0, score));

/** The scores of one task by judge and repeat. @param p their mean @param leans by how much each judge is milder */
const scoresOf = (random: Random, p: number, leans: readonly number[]): number[][] => {
  const own = random.beta(p, 6);
  return leans.map((lean) => {
    const inTask = own + lean + spread.inTask * random.normal();
    return Array.from({ length: repeats }, () => limited(inTask + spread.repeat * random.normal()));
  });
};

const drawnLeans = (random: Random, judges: number): number[] =>
  Array.from({ length: judges }, () => spread.judge * random.normal());

/** Rows of tables `loops` and `judgements`, and the settings of their study. */
function judgedTasks(random: Random, p: number, n: number, leans: readonly number[]) {
  const [loops, judgements]: [Row[], Row[]] = [[], []];
  for (let task = 0; task < n; task += 1) {
    const scores = scoresOf(random, p, leans);
    const [row] = loopRows(task, [{ sustained, similarity: panelMean(scores) }], maxLoops) as [Row];
    loops.push(row);
    for (const [judge, own] of scores.entries())
      for (const [repeat, score] of own.entries()) judgements.push({ ...row, judge: `j${judge}`, repeat, score });
  }
  const models = leans.map((_, judge) => `j${judge}`);
  return { loops, judgements, settings: { maxLoops, judge: models.join(', '), judges: { models, repeats } } };
}

/** ASL of any judge: (l - 1 + Sim) l / M. Each set has other judges. */
const panelAsl = (judges: number): SimulatedEstimate => ({
  name: `ASL by ${judges} judges (p: mean score)`,
  method: 'Gaffke, Student’s t over judges, MOVER',
  truth: (random, p) => {
    const draws = 100_000;
    let sum = 0;
    for (let draw = 0; draw < draws; draw += 1) sum += scoresOf(random, p, drawnLeans(random, 1))[0]?.[0] as number;
    return (sustained * (sustained - 1 + sum / draws)) / maxLoops;
  },
  interval: (random, p, n) => {
    const { loops, judgements, settings } = judgedTasks(random, p, n, drawnLeans(random, judges));
    const [row] = aslRows(loops, settings, [], judgements);
    return { lo: Number(row?.['asl_lo']), hi: Number(row?.['asl_hi']) };
  },
});

/** The same three judges in every set. */
const leans = [-spread.judge, 0, spread.judge];
const breaks = (random: Random, p: number, n: number): number[][] =>
  Array.from({ length: n }, () => scoresOf(random, p, leans).map((own) => judgeMean(own) as number));

const agreement: SimulatedEstimate = {
  name: 'alpha of 3 judges (p: mean score)',
  method: 'Dirichlet weights and an unseen task',
  truth: (random, p) => krippendorffIntervalAlpha(breaks(random, p, 50_000)) as number,
  interval: (random, p, n) =>
    alphaInterval(
      breaks(random, p, n).map((scores) => [scores]),
      { lo: 0, hi: 1 },
    ) ?? undefined,
};

export const judgedEstimates: readonly SimulatedEstimate[] = [...[2, 3, 5].map(panelAsl), agreement];
