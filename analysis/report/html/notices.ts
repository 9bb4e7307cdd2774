/** What a reader must know of the whole report, as a line of marks; each opens to say it in full. */
import { countText } from '../format.ts';
import { type Html, html } from '../html.ts';
import { simulatedMeaning } from '../method.ts';
import { missingText } from '../notes/coverage-text.ts';
import { modelNotes } from '../notes/model-notes.ts';
import { studyRepeatsNotes } from '../notes/repeated-tasks.ts';
import type { Report, ReportRun } from '../report.ts';

interface Notice {
  readonly what: string;
  /** Shown with it. */
  readonly brief: string;
  readonly text: string;
}

export function noticesHtml(report: Report): Html {
  const notices = [
    ...report.runs.flatMap(partial),
    ...report.runs.flatMap(withoutTables),
    ...simulated(report.runs),
    ...repeats(report),
    ...ofModels(report),
  ];
  if (notices.length === 0) return html``;
  return html`<div class="notices">${notices.map(
    ({ what, brief, text }) =>
      html`<details class="notice"><summary><b>${what}</b> ${brief}</summary><p>${text}</p></details>`,
  )}</div>`;
}

function partial(covered: ReportRun): Notice[] {
  const { run, missing, planned, stateDetail } = covered;
  if (missing === 0) return [];
  if (missing === planned) return [nothingYet(run, planned, stateDetail)];
  const why = stateDetail === null ? '' : ` ${stateDetail}`;
  return [
    {
      ...{ what: 'Partial', brief: `${countText(missing)} of ${countText(planned)} cells missing` },
      text: `${missingText(covered, ` of ${run}`)}${why}`,
    },
  ];
}

/** Pages show what is finished, and a page has up to 128 cells. */
const nothingYet = (run: string, planned: number, stateDetail: string | null): Notice => ({
  ...{ what: 'No results yet', brief: `${countText(planned)} cells planned` },
  text:
    `No page of ${run} is finished; its numbers appear as soon as one is.` +
    (stateDetail === null ? '' : ` ${stateDetail}`),
});

const withoutTables = ({ run, missingTables }: ReportRun): Notice[] =>
  missingTables === null
    ? []
    : [
        {
          ...{ what: 'Tables missing', brief: run },
          text: `Tables of ${run} could not be computed, and what rests on them is not shown: ${missingTables}.`,
        },
      ];

function simulated(runs: readonly ReportRun[]): Notice[] {
  const models = [...new Set(runs.flatMap((run) => run.simulatedModels))];
  if (models.length === 0) return [];
  const each = runs.filter((run) => run.simulatedModels.length > 0);
  const where = each.map(({ run, simulatedModels }) => `In ${run}: ${simulatedModels.join(', ')}.`).join(' ');
  return [{ what: 'Simulated', brief: briefList(models), text: `${simulatedMeaning} ${where}` }];
}

/** In brief the study with the largest part. */
function repeats({ cards: { repeated = [] } }: Report): Notice[] {
  const [most] = repeated.toSorted((a, b) => b.repeated / b.tasks - a.repeated / a.tasks);
  if (most === undefined) return [];
  const brief =
    repeated.length > 1
      ? `${countText(repeated.length)} studies`
      : `${countText(most.repeated)} of ${countText(most.tasks)} in study ${most.study}`;
  return [{ what: 'Repeated tasks', brief, text: studyRepeatsNotes(repeated).join(' ') }];
}

/** One for each mark, over all models that have it. */
const ofModels = (report: Report): Notice[] =>
  [...Map.groupBy(modelNotes(report), ({ mark }) => mark.replace(/^[\d,]+ /, ''))].map(([mark, notes]) => ({
    what: `${mark.slice(0, 1).toUpperCase()}${mark.slice(1)}`,
    brief: briefList([...new Set(notes.map(({ model }) => model))]),
    text: notes.map(({ text }) => text).join(' '),
  }));

/** Longer lists are counted. */
const mostNamed = 2;
const briefList = (names: readonly string[]): string =>
  names.length > mostNamed ? `${countText(names.length)} models` : names.join(', ');
