/** EVALOOP's main results: each study's board with the survival of its tasks, and the boards of its other settings. */
import { boardName, type LeaderboardRow } from '../results/leaderboard.ts';
import type { LoopSurvival } from '../results/survival/loop-survival.ts';
import { levelText } from '../../../analysis/report/format.ts';
import { type DataTable, note, type Part, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { boardTable, withoutAsl } from './board.ts';
import { studyName } from './study-name.ts';
import { survivalFigure } from './survival-figure.ts';

/** @param survivals of all studies */
export function boardsSection(
  rows: readonly LeaderboardRow[],
  survivals: readonly LoopSurvival[],
  context: ReportContext,
): Section {
  const studies = Map.groupBy(rows, (row) => boardName({ ...row, setting: '' }));
  const sections = [...studies.values()].map((study) => studySection(study, survivals, context));
  return section(undefined, sections, { id: 'results' });
}

function studySection(
  rows: readonly LeaderboardRow[],
  survivals: readonly LoopSurvival[],
  context: ReportContext,
): Section {
  const [first] = rows as readonly [LeaderboardRow];
  const plain = rows.filter(({ setting }) => setting === 'default');
  const others = Map.groupBy(
    rows.filter((row) => !plain.includes(row)),
    ({ setting }) => setting,
  );
  const further = [...others].flatMap(([setting, own]): Part[] => [
    { ...boardTable(own, context), title: `Setting ${setting}` },
    ...withoutAsl(own).map(note),
  ]);
  const parts = [boardTable(plain, context), ...withoutAsl(plain).map(note), survivalFigure(plain, survivals, context)];
  return section(studyName(first, context), [
    note(aboutText(first)),
    ...parts,
    section('Results under other settings', further, { folded: true }),
  ]);
}

function aboutText({ benchmark, language, maxLoops, judge, level }: LeaderboardRow): string {
  const judged = judge === null ? 'no judge, so ASL is given only without similarities (s = 1)' : judgedBy(judge);
  return `EVALOOP on ${benchmark}, ${language}; up to ${maxLoops} loops; ${judged}; ${levelText(level)} intervals.`;
}

const judgedBy = (judges: string): string => `${judges.includes(', ') ? 'judges' : 'judge'} ${judges}`;

/** One table per study and setting, for the terminal. */
export const terminalBoards = (rows: readonly LeaderboardRow[], context: ReportContext): DataTable[] =>
  [...Map.groupBy(rows, boardName).values()].map((group) => {
    const lacking = withoutAsl(group);
    return {
      ...boardTable(group, context),
      title: terminalTitle(group),
      ...(lacking.length === 0 ? {} : { note: lacking.join(' ') }),
    };
  });

function terminalTitle([first]: readonly LeaderboardRow[]): string {
  if (first === undefined) return '';
  const { study, setting, benchmark, maxLoops, judge, level } = first;
  const judged = judge === null ? 'no judge: ASL without similarities' : judgedBy(judge);
  const where = setting === 'default' ? benchmark : `${benchmark}, setting ${setting}`;
  return `EVALOOP · study ${study} · ${where} · M = ${maxLoops} · ${judged} · intervals ${levelText(level)}`;
}
