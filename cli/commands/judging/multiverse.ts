/** `multiverse`: a run's stored replies under every combination of choices, and which conclusions hold everywhere. */
import { extname, resolve } from 'node:path';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { refuseOtherFiles, writeSaved } from '../../../activities/exchange/write-saved.ts';
import {
  type JudgedRun,
  studyMultiverse,
  type StudyMultiverse,
} from '../../../activities/multiverse/study-multiverse.ts';
import { createRuns, type Runs } from '../../../activities/runs/runs.ts';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import type { Side } from '../../../analysis/gate/compared.ts';
import {
  choicesTable,
  conclusionsTable,
  multiverseParts,
  type StudyCurves,
  valuesTable,
} from '../../../analysis/multiverse/parts.ts';
import { multiverseRows } from '../../../analysis/multiverse/rows.ts';
import { partsPage } from '../../../analysis/report/html/parts-page.ts';
import { partsCsv } from '../../../analysis/report/text/csv.ts';
import { partsLatex } from '../../../analysis/report/text/latex.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { tableLines } from '../../../analysis/report/text/terminal.ts';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import { curvesOf } from '../../../domain/multiverse/finding.ts';
import { nameList } from '../../../domain/name-list.ts';
import { nearest } from '../../../domain/nearest.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { savedMultiverse } from '../../../schemas/saved-tables.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { type ExtractionName, extractionNames } from '../../../schemas/spec/fields.ts';
import { wantedSides, withAnswers } from '../../../studies/compared-models.ts';
import { earlierExtraction } from '../../../studies/extraction.ts';
import { metricsIn } from '../../../studies/multiverse/findings.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { oneScreen } from '../../output/one-screen.ts';
import { writeOutput } from '../../output/output-file.ts';
import { plain, type Terminal } from '../../output/terminal.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import type { FoundRun } from '../../../activities/storage/catalog/run-catalog.ts';
import { openJudge, type OpenJudge } from './open-judge.ts';
import { finishText, rescoredRun } from './rescore.ts';
import { namedLimits, triedLimits } from './tried-limits.ts';

export interface MultiverseOptions {
  readonly runsDir: string;
  readonly extraction: string;
  readonly models?: string;
  readonly study?: string;
  readonly metric?: string;
  readonly caseLimitMs?: string;
  readonly curves: string;
  readonly out?: string;
  readonly save?: string;
  readonly all?: boolean;
}

export async function multiverse(id: string, options: MultiverseOptions, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir } = options;
  const rules = namedRules(options.extraction);
  const render = options.out === undefined ? null : rendererOf(options.out);
  if (options.save !== undefined) await refuseOtherFiles(savedMultiverse, resolve(options.save));
  const mostCurves = wholeNumber('--curves', options.curves, 0);
  const limits = options.caseLimitMs === undefined ? [] : namedLimits(options.caseLimitMs);
  const found = await runCatalog(runsDir).find(id);
  refuseIncomplete(id, found.manifest);
  const studies = await wantedStudies(found, options);
  const end = await judgedByOthers(id, found.manifest, studies, rules, { runsDir, terminal });
  if (end !== exitStatus.done) return end;
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const opened = openJudge(found.manifest.sandbox, terminal.note);
  try {
    const wanted = { ...options, id, rules, limits, opened };
    const all = [];
    for (const one of studies) all.push(await curvesOfStudy(runs, wanted, found.manifest, one, terminal));
    const notes = [...simulatedNotes(all), ...all.flatMap((one) => one.notes)];
    const report = { studies: all, notes, mostCurves };
    await writeFiles(id, report, render, options);
    show(report, options.all ?? false, terminal);
    terminal.document({ run: id, ...documentOf(report) });
    return exitStatus.done;
  } finally {
    await opened.close();
    await runs.close();
  }
}

interface MultiverseReport {
  readonly studies: readonly StudyCurves[];
  readonly notes: readonly string[];
  readonly mostCurves: number;
}

/** `own`: only the run's rule, so that no program is run. */
function namedRules(text: string): readonly ExtractionName[] {
  if (text === 'own') return [];
  return text.split(',').map((part) => {
    const rule = extractionNames.find((name) => name === part.trim());
    if (rule !== undefined) return rule;
    const known = [...extractionNames, 'own'].join(', ');
    throw new InputError(`must be names with commas between, of ${known}; got "${text}"`, { field: '--extraction' });
  });
}

function wholeNumber(field: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
  throw new InputError(`must be a whole number, at least ${least}; got "${text}"`, { field });
}

function refuseIncomplete(id: string, { state }: Manifest): void {
  if (state === 'complete') return;
  throw new InputError(`run "${id}" is not complete; ${finishText(id)}`);
}

interface WantedStudy {
  readonly study: SpecStudy;
  readonly models: readonly [string, ...string[]];
}

async function wantedStudies(
  { home }: FoundRun,
  { models, study, metric }: MultiverseOptions,
): Promise<readonly WantedStudy[]> {
  const database = await openRun(await home.tables());
  try {
    const wanted = wantedSides(database, {
      ...(models === undefined ? {} : { models: models.split(',').map((name) => name.trim()) }),
      ...(study === undefined ? {} : { study }),
    });
    const found: AnsweredStudy[] = [];
    for (const one of wanted) {
      const [first, ...others] = await withAnswers(database, one.sides);
      if (first !== undefined) found.push({ study: one.study, sides: [first, ...others] });
    }
    if (found.length === 0) throw new InputError('no model of this run has a finished task');
    if (metric !== undefined) await refuseUnknownMetric(database, metric, found);
    return found.map(({ study: own, sides: [first, ...others] }) => ({
      study: own,
      models: [first.model, ...others.map((side) => side.model)],
    }));
  } finally {
    database.close();
  }
}

interface AnsweredStudy {
  readonly study: SpecStudy;
  readonly sides: readonly [Side, ...Side[]];
}

async function refuseUnknownMetric(
  database: RunDatabase,
  metric: string,
  studies: readonly AnsweredStudy[],
): Promise<void> {
  const metrics: [string, boolean][] = [];
  for (const { study, sides } of studies) metrics.push(...(await metricsIn(database, study, sides)));
  if (metrics.some(([name]) => name === metric)) return;
  const known = [...new Set(metrics.flatMap(([name, hasValue]) => (hasValue ? [name] : [])))];
  const guess = nearest(metric, known);
  const hint = guess === undefined ? '' : `did you mean "${guess}"? `;
  throw new InputError(`no metric "${metric}" in the run; ${hint}known: ${known.join(', ') || 'none'}`, {
    field: '--metric',
  });
}

const ruleOf = ({ extraction = earlierExtraction }: SpecStudy): ExtractionName => extraction;
const otherRules = (studies: readonly WantedStudy[], rules: readonly ExtractionName[]): ExtractionName[] =>
  rules.filter((rule) => studies.some(({ study }) => ruleOf(study) !== rule));
const rescoredId = (id: string, rule: ExtractionName): string => `${id}-${rule}`;

interface Place {
  readonly runsDir: string;
  readonly terminal: Terminal;
}

/** Judges the programs that other rules extract, each rule in a run of its own. */
const otherWay = ', or leave other rules out with --extraction own, which makes no run';

async function judgedByOthers(
  id: string,
  manifest: Manifest,
  studies: readonly WantedStudy[],
  rules: readonly ExtractionName[],
  { runsDir, terminal }: Place,
): Promise<ExitStatus> {
  for (const extraction of otherRules(studies, rules)) {
    const runId = rescoredId(id, extraction);
    const changes = { extraction, judging: {}, suites: null };
    const end = await rescoredRun({ runsDir, id, runId, changes, manifest, inBrief: true, otherWay }, terminal);
    if (end !== exitStatus.done) return end;
  }
  return exitStatus.done;
}

interface Wanted extends MultiverseOptions {
  readonly id: string;
  readonly rules: readonly ExtractionName[];
  /** Milliseconds. */
  readonly limits: readonly number[];
  readonly opened: OpenJudge;
}

async function curvesOfStudy(
  runs: Runs,
  { id, rules, runsDir, metric, limits, opened }: Wanted,
  manifest: Manifest,
  { study, models }: WantedStudy,
  terminal: Terminal,
): Promise<StudyCurves & Pick<StudyMultiverse, 'notes'>> {
  const judgedRun = async (runId: string, uuid: string, rule: ExtractionName): Promise<JudgedRun> => ({
    rule,
    run: await runs.open({ runId, uuid, epoch: 0 }),
  });
  const own = ruleOf(study);
  const others = await Promise.all(
    rules
      .filter((rule) => rule !== own)
      .map(async (rule) => {
        const runId = rescoredId(id, rule);
        return judgedRun(runId, (await runCatalog(runsDir).find(runId)).manifest.uuid, rule);
      }),
  );
  const { findings, choices, notes } = await studyMultiverse({
    ...{ study, models, judged: [await judgedRun(id, manifest.uuid, own), ...others] },
    ...(metric === undefined ? {} : { metric }),
    ...(limits.length === 0 ? {} : { limits: triedLimits(limits, opened, study.name, terminal) }),
    onUniverse: (number, of) => terminal.progress(`study ${study.name}: universe ${number} of ${of}`),
  });
  return { study: study.name, models, curves: curvesOf(findings), choices, notes };
}

function simulatedNotes(studies: readonly StudyCurves[]): string[] {
  const findings = studies.flatMap(({ curves }) => curves.flatMap((curve) => [...curve.findings]));
  const names = findings.flatMap(({ simulated, subject }) =>
    simulated && subject.other === null ? [subject.model] : [],
  );
  const known = [...new Set(names)].toSorted();
  return known.length === 0 ? [] : [`simulated: ${nameList(known)}; nothing here is about any real model`];
}

type Renderer = (title: string, report: MultiverseReport) => string | Promise<string>;

const partsOf = ({ studies, notes, mostCurves }: MultiverseReport) => multiverseParts(studies, notes, mostCurves);

const renderers: Readonly<Record<string, Renderer>> = {
  '.html': (title, report) => partsPage('evenkeel multiverse', title, partsOf(report)),
  '.md': (title, report) => `# ${title}\n\n${partsMarkdown(partsOf(report))}\n`,
  '.csv': (_, report) => partsCsv(partsOf(report)),
  '.tex': (_, report) => partsLatex(partsOf(report)),
};

function rendererOf(file: string): Renderer {
  const render = renderers[extname(file)];
  if (render !== undefined) return render;
  throw new InputError(`must end in ${Object.keys(renderers).join(', ')}; got "${file}"`, { field: '--out' });
}

async function writeFiles(
  id: string,
  report: MultiverseReport,
  render: Renderer | null,
  { out, save }: MultiverseOptions,
): Promise<void> {
  if (out !== undefined && render !== null)
    await writeOutput(resolve(out), [await render(`Multiverse of ${id}`, report)]);
  if (save !== undefined) await writeSaved(savedMultiverse, resolve(save), [id], rowsOf(report), new Date());
}

const rowsOf = ({ studies }: MultiverseReport) => multiverseRows(studies.flatMap(({ curves }) => [...curves]));

/** Lines for the tables of all studies; fewer only on a smaller terminal. */
const fewestLines = 40;
const linesAround = 4;

function show({ studies, notes }: MultiverseReport, all: boolean, terminal: Terminal): void {
  const boards = [choicesTable(studies), ...studies.map(conclusionsTable), ...(all ? studies.map(valuesTable) : [])]
    .filter(({ rows }) => rows.length > 0)
    .map((table) => tableLines(table, plain));
  const room = all ? Infinity : Math.max(fewestLines, (process.stdout.rows ?? 0) - linesAround);
  const { lines, left } = oneScreen(boards, room);
  terminal.out(lines.join('\n'));
  if (left > 0) terminal.out(`and ${counted(left, 'more line')}: add --all, or write a file with --out`);
  for (const note of notes) terminal.note(plain(note));
}

/** The conclusions; the universes behind them are in the tables that `--save` writes. */
const documentOf = (report: MultiverseReport) => ({
  conclusions: rowsOf(report).multiverse_conclusions,
  choices: report.studies.map(({ study, choices }) => ({ study, choices })),
  notes: report.notes,
});
