/** PartialOrderEval in a gate: pass at each level of detail, and the least level that suffices on each curve. */
import { commonCurves, sufficientDetail } from '../../domain/gate/sufficient-detail.ts';
import { curveNames, curveOf, levelName, type LevelScores, levelScores } from '../../domain/metrics/specificity-scores.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { comparedTasks, type Compared, type GateSource, ownRows, pairedTasks, plainSubject, type SidePair } from './compared.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;
type LevelPair = readonly [old: LevelScores, now: LevelScores];

export const detailSource: GateSource<SpecificityStudy> = async (database, pair) => {
  const [before, after] = await Promise.all([pair.old, pair.now].map((side) => levelsOf(database, ownRows(side), pair.changed)));
  if (before === undefined || after === undefined) return [];
  const both = after.flatMap((now): LevelPair[] => {
    const old = before.find((level) => nameOf(level) === nameOf(now));
    return old === undefined ? [] : [[old, now]];
  });
  return [...both.map((levels) => passAt(pair, levels)), ...sufficient(pair, both)];
};

/** `maximal`, `summary 25`. */
const nameOf = (level: LevelScores): string => (level.level === null ? level.augmentation : `${level.augmentation} ${levelName(level)}`);

async function levelsOf(database: RunDatabase, own: string, changed: ReadonlySet<string>): Promise<LevelScores[]> {
  const rows = await records(database, `from prompt_passes where ${own} order by task_id, variant, repetition`);
  return levelScores(rows.filter((row) => !changed.has(String(row['task_id']))));
}

const hundredfold = (scores: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...scores].map(([task, score]) => [task, 100 * score]));

const passAt = ({ now: { study }, changed }: SidePair, [old, now]: LevelPair): Compared =>
  comparedTasks(
    plainSubject('pass_at_detail', study.benchmark, nameOf(now)),
    pairedTasks(hundredfold(old.scores), hundredfold(now.scores), changed),
    { kind: 'bounded', lo: 0, hi: 100 },
  );

/** Of each curve with a level between its ends and a maximal prompt. */
function sufficient({ now: { study } }: SidePair<SpecificityStudy>, both: readonly LevelPair[]): Compared[] {
  return curveNames.flatMap((curve) => {
    const [before, after] = [0, 1].map((side) =>
      curveOf(
        both.map((pair) => pair[side] as LevelScores),
        curve,
      ),
    );
    if (before === undefined || after === undefined || after.at(-1)?.augmentation !== 'maximal') return [];
    if (!after.some(({ augmentation }) => augmentation === curve)) return [];
    const curves = commonCurves(
      before.map(({ scores }) => scores),
      after.map(({ scores }) => scores),
    );
    return [
      {
        subject: plainSubject('sufficient_detail', study.benchmark, curve),
        estimate: ({ level }) => sufficientDetail(curves.old, curves.now, study.settings.within, level),
      },
    ];
  });
}
