/** PromptSE's main tables, one per run, study, benchmark and method: stability of each model, the most stable first. */
import { boardPlaces, type PromptseBoardRow, promptseBoardName } from '../results/board.ts';
import { nameList } from '../../../domain/name-list.ts';
import { count, estimatedNumber, estimatedShare, number } from '../../../analysis/report/cells.ts';
import { levelText, missing } from '../../../analysis/report/format.ts';
import { type DataCell, type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { distanceTable } from './distances.ts';
import { methodName, scoreName } from './methods.ts';

type BoardRows = readonly [PromptseBoardRow, ...PromptseBoardRow[]];

const boardGroups = (rows: readonly PromptseBoardRow[]): BoardRows[] =>
  [...Map.groupBy(rows, promptseBoardName).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others]],
  );

/**
 * What to show. The table of a method that no model has a value in, such as SoftExec without log-probabilities, is left
 * out where the other method has values; a note says why.
 */
const shownBoards = (
  rows: readonly PromptseBoardRow[],
): { readonly group: BoardRows; readonly without: string[] }[] => {
  const groups = boardGroups(rows);
  const empty = groups.filter((group) => !hasValues(group) && groups.some((one) => isBeside(group, one)));
  return groups
    .filter((group) => !empty.includes(group))
    .map((group) => ({ group, without: empty.filter((one) => isBeside(one, group)).map(withoutText) }));
};

const hasValues = (rows: BoardRows): boolean =>
  rows.some(({ passAt1, aucE, elasticity }) => [passAt1, aucE, ...elasticity].some((value) => value !== null));

/** Whether the second has values, of the same answers by the other method. */
const isBeside = ([{ run, study, benchmark, method }]: BoardRows, others: BoardRows): boolean =>
  others[0].method !== method &&
  [others[0].run, others[0].study, others[0].benchmark].join('\n') === [run, study, benchmark].join('\n') &&
  hasValues(others);

const withoutText = ([{ method, reason }]: BoardRows): string =>
  `No table of ${methodName[method]}, since no model has a value${reason === null ? '' : `: ${reason}`}.`;

export const boardSections = (rows: readonly PromptseBoardRow[], context: ReportContext): Section[] =>
  shownBoards(rows).map(({ group, without }) => {
    const [{ study, method }] = group;
    return section(`Study ${study}: ${methodName[method]}`, [
      note(aboutText(group, context)),
      boardTable(group, context),
      ...[...withoutArea(group), ...withoutPlace(group), ...fewerFloors(group), ...without].map((text) => note(text)),
      distanceTable(group, context),
    ]);
  });

/** Printed in the terminal at the end of a run. */
export const terminalBoards = (rows: readonly PromptseBoardRow[], context: ReportContext): DataTable[] =>
  shownBoards(rows).map(({ group, without }) => {
    const [{ study, benchmark, method, level }] = group;
    const name = `${methodName[method]} (${method === 'full' ? 'SoftExec' : 'pass rates'})`;
    const notes = [
      ...withoutArea(group),
      ...withoutPlace(group),
      ...fewerFloors(group),
      ...without,
      ...setText(group),
    ].join(' ');
    return {
      ...boardTable(group, context),
      title: [name, `study ${study}`, benchmark, ...sampleText(group), `intervals ${levelText(level)}`].join(' · '),
      ...(notes === '' ? {} : { note: notes }),
    };
  });

function aboutText(rows: BoardRows, { severalRuns }: ReportContext): string {
  const [{ benchmark, run, level, intervalMethod, method }] = rows;
  const where = severalRuns ? `${benchmark}, run ${run}` : benchmark;
  return [
    `Prompt stability on ${where}; under each value its ${levelText(level)} interval: ${intervalMethod}.`,
    ...sampleText(rows).map((samples) => `${scoreName[method]} over ${samples}.`),
    'E(d): elasticity at distance d. Rows are ordered by AUC-E. Floor: the AUC-E expected if only chance varied the ' +
      'answers; excess: AUC-E minus floor. n: counted tasks.',
    ...setText(rows),
  ].join(' ');
}

/** PromptSELight may use fewer samples than were requested. Empty if no task counts. */
function sampleText(rows: BoardRows): string[] {
  const samples = Math.max(0, ...rows.map((row) => row.samples ?? 0));
  return samples === 0 ? [] : [`${samples} ${samples === 1 ? 'sample' : 'samples'} a prompt`];
}

/** Only with more sets of answers to the original prompt is there a noise floor. */
const setText = (rows: BoardRows): string[] =>
  rows.some(({ aucEFloor }) => aucEFloor !== null)
    ? ['pass@1 is over the first set of answers to the original prompt; cards and compare count all sets.']
    : [];

const withoutArea = (rows: BoardRows): string[] =>
  [...Map.groupBy(rows, ({ reason }) => reason)].flatMap(([reason, own]) =>
    reason === null ? [] : [`No AUC-E for ${own.map(({ model }) => model).join(', ')}: ${reason}.`],
  );

/** A note on models that have an AUC-E and no place by it. */
function withoutPlace(rows: BoardRows): string[] {
  const { area } = boardPlaces(rows);
  const own = rows
    .filter(({ aucE }, at) => aucE !== null && area[at] === null)
    .map(({ model, n }) => `${model} (n ${n})`);
  return own.length === 0
    ? []
    : [`No rank for ${nameList(own)}: AUC-E lacks tasks that others have. \`compare\` has the tasks that all share.`];
}

/** A note on models whose floors and excess are of fewer tasks than their other values; none if nothing was redrawn. */
function fewerFloors(rows: BoardRows): string[] {
  const fewer = rows.filter(({ n, nFloor }) => nFloor < n);
  if (fewer.length === 0 || rows.every(({ nFloor }) => nFloor === 0)) return [];
  const names = nameList(fewer.map(({ model, n, nFloor }) => `${model} (${nFloor} of ${n})`));
  return [
    `Floor and excess are over fewer tasks for ${names}: the others have no redraw of the original with a score.`,
  ];
}

function boardTable(rows: BoardRows, context: ReportContext): DataTable {
  const places = boardPlaces(rows);
  const brief = (text: string) => ({ text, brief: true });
  const aside = (text: string) => ({ text, aside: true });
  return {
    words: 1,
    heads: [
      ...['Model', 'pass@1', 'E(0.1)', 'E(0.2)', 'E(0.3)'].map(brief),
      ...[
        'AUC-E',
        aside('Rank'),
        aside('Normalised'),
        brief('Floor'),
        'Excess',
        aside('Rank by excess'),
        'n',
        'Excluded',
      ],
    ],
    rows: rows.map((row, index) =>
      withEvidence(
        [
          ...[
            context.model(row.run, row.model, factsOf(row)),
            estimatedShare(row.passAt1),
            ...row.elasticity.map((one) => estimatedNumber(one)),
          ],
          ...[estimatedNumber(row.aucE), placeCell(places.area[index] ?? null), estimatedNumber(row.aucENormalized)],
          ...[estimatedNumber(row.aucEFloor), estimatedNumber(row.aucEExcess), placeCell(places.excess[index] ?? null)],
          ...[count(row.n), count(row.nExcluded)],
        ],
        { run: row.run, study: row.study, model: row.model },
        context,
      ),
    ),
    look: 'board',
  };
}

const placeCell = (place: number | null): DataCell =>
  place === null ? { text: missing, value: null } : number(place, Number.isInteger(place) ? 0 : 1);

function factsOf({ family, sizeB }: PromptseBoardRow): string[] {
  const facts = [...(family === null ? [] : [family]), ...(sizeB === null ? [] : [`${sizeB} B`])];
  return facts.length === 0 ? [] : [facts.join(', ')];
}
