/** EVALOOP beyond the paper: survival with hazards, log-rank tests, what broke in which loop, drift of lengths, fixpoints. */
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import { holmAdjusted } from '../domain/statistics/holm.ts';
import { type Duration, kaplanMeier, logRank, type SurvivalStep } from '../domain/statistics/kaplan-meier.ts';
import type { TestResult } from '../domain/statistics/test-result.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { evaloopStudies } from './evaloop-studies.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface LoopSurvival {
  readonly run: string;
  readonly study: string;
  /** By model name; cells that count, under the default setting and on the unchanged prompt. */
  readonly curves: readonly { readonly model: string; readonly steps: readonly SurvivalStep[] }[];
  /** Every two models; p adjusted over them (Holm). Empty for more than `mostCompared` models. */
  readonly tests: readonly { readonly models: readonly [string, string]; readonly test: TestResult; readonly adjusted: number | null }[];
  readonly breaks: readonly LoopBreaks[];
  readonly drifts: readonly LoopDrift[];
  readonly fixpoints: readonly Fixpoints[];
}

/** Cells of one model that broke in one loop. */
export interface LoopBreaks {
  readonly model: string;
  readonly loop: number;
  /** No code, no summary, or a text that is no Python. */
  readonly format: number;
  /** The function is not there, or is called with arguments that it does not take. */
  readonly signature: number;
  /** Everything else: wrong output, other exceptions, limits of time and memory. */
  readonly semantics: number;
  /** After at least one sustained loop: the judge's similarity is at least the threshold (sudden collapse), below it (drift), or missing. */
  readonly collapsed: number;
  readonly drifted: number;
  readonly unscored: number;
  /** Mean similarity; null where none is scored. */
  readonly similarity: number | null;
}

/** Lengths of one model's texts in one loop, over the same cell's in loop 1: means over the cells that got that far. */
export interface LoopDrift {
  readonly model: string;
  readonly loop: number;
  readonly cells: number;
  /** Characters of the code, as a ratio; null where the run holds none. */
  readonly code: number | null;
  /** Characters of the summary, as a ratio; null in the last loop, which has none. */
  readonly summary: number | null;
}

export interface Fixpoints {
  readonly model: string;
  /** Cells that sustained two loops or more. */
  readonly cells: number;
  /** Of these, the ones whose code did not change any more in their last two loops or longer. */
  readonly fixed: number;
  /** Mean loop from which on the code stayed; null where none did. */
  readonly from: number | null;
}

/** Pairs of more models are too many to look at. */
const mostCompared = 12;

export async function loopSurvivals(database: RunDatabase, manifest: Manifest): Promise<LoopSurvival[]> {
  const found: LoopSurvival[] = [];
  const { runId: run } = manifest;
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    const where = `run = ${quoteText(run)} AND study = ${quoteText(study)} AND variant = 'original' AND setting = 'default'`;
    const loops = await records(
      database,
      `select model, sustained_loops, ended_by from loops where ${where} and ended_by <> 'excluded' order by all`,
    );
    const byModel = [...Map.groupBy(loops, (row) => textOf(row, 'model'))].map(([model, rows]) => ({
      model,
      durations: rows.map((row) => durationOf(row, settings.maxLoops)),
    }));
    found.push({
      run,
      study,
      curves: byModel.map(({ model, durations }) => ({ model, steps: kaplanMeier(durations) })),
      tests: testsOf(byModel),
      breaks: (await records(database, breaksSql(where, settings.collapseThreshold))).map(breaksOf),
      drifts: (await records(database, driftSql(where))).map(driftOf),
      fixpoints: (await records(database, fixpointSql(where))).map(fixpointsOf),
    });
  }
  return found;
}

const durationOf = (row: Row, maxLoops: number): Duration => {
  const sustained = numberOf(row, 'sustained_loops');
  if (row['ended_by'] === 'not_asked') return { time: sustained, ended: false };
  return sustained === maxLoops ? { time: maxLoops, ended: false } : { time: sustained + 1, ended: true };
};

function testsOf(models: readonly { readonly model: string; readonly durations: readonly Duration[] }[]): LoopSurvival['tests'] {
  if (models.length > mostCompared) return [];
  const tests = models.flatMap((first, index) =>
    models
      .slice(index + 1)
      .map((second) => ({ models: [first.model, second.model] as const, test: logRank(first.durations, second.durations) })),
  );
  const adjusted = holmAdjusted(tests.map(({ test }) => test.p));
  return tests.map((one, index) => ({ ...one, adjusted: adjusted[index] ?? null }));
}

/** Over sorted values: rows come in any order, and the last digit of a sum depends on it. */
const mean = (values: string): string => `list_avg(list_sort(list(${values})))`;

/** A suite's first failing program tells what broke; the error's name stands in the execution's detail. */
const breaksSql = (where: string, threshold: number): string => `
  WITH broken AS (SELECT * FROM loops WHERE ${where} AND ended_by NOT IN ('survived', 'excluded', 'not_asked')),
  details AS (
    SELECT v.run, v.study, v.model, v.task_id, v.repetition, v.loop,
      bool_or(e.detail LIKE '%positional argument%' OR e.detail LIKE '%keyword argument%' OR e.detail LIKE '%required argument%' OR e.detail LIKE '%the program defines no%') AS signature
    FROM (SELECT * FROM verdicts WHERE ${where} AND step = 'generate' AND outcome = 'exception') v JOIN executions e USING (execution_id) GROUP BY ALL),
  kinds AS (
    SELECT b.*, CASE WHEN b.ended_by IN ('no_summary', 'no_code') OR b.ended_outcome IN ('no_code', 'syntax_error') THEN 'format'
      WHEN d.signature THEN 'signature' ELSE 'semantics' END AS kind
    FROM broken b LEFT JOIN details d ON d.run = b.run AND d.study = b.study AND d.model = b.model AND d.task_id = b.task_id
      AND d.repetition = b.repetition AND d.loop = b.sustained_loops + 1)
  SELECT model, (sustained_loops + 1)::INT AS loop,
    count(*) FILTER (WHERE kind = 'format')::INT AS format, count(*) FILTER (WHERE kind = 'signature')::INT AS signature,
    count(*) FILTER (WHERE kind = 'semantics')::INT AS semantics,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity >= ${threshold})::INT AS collapsed,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity < ${threshold})::INT AS drifted,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity IS NULL)::INT AS unscored, ${mean('similarity')} AS similarity
  FROM kinds GROUP BY ALL ORDER BY ALL`;

const breaksOf = (row: Row): LoopBreaks => ({
  model: textOf(row, 'model'),
  loop: numberOf(row, 'loop'),
  format: numberOf(row, 'format'),
  signature: numberOf(row, 'signature'),
  semantics: numberOf(row, 'semantics'),
  collapsed: numberOf(row, 'collapsed'),
  drifted: numberOf(row, 'drifted'),
  unscored: numberOf(row, 'unscored'),
  similarity: row['similarity'] as number | null,
});

/** Code that passed, and the summaries of it. */
const driftSql = (where: string): string => `
  WITH reached AS (SELECT model, task_id, repetition, sustained_loops FROM loops WHERE ${where} AND ended_by <> 'excluded'),
  texts AS (
    SELECT model, task_id, repetition, loop, max(length(solution)) FILTER (WHERE step = 'generate') AS code,
      max(length(reply)) FILTER (WHERE step = 'summarize') AS summary
    FROM samples WHERE ${where} AND step IN ('generate', 'summarize') GROUP BY ALL),
  passed AS (SELECT t.* FROM texts t JOIN reached USING (model, task_id, repetition) WHERE loop <= sustained_loops)
  SELECT p.model, p.loop::INT AS loop, count(*)::INT AS cells, ${mean('p.code / nullif(first.code, 0)')} AS code,
    ${mean('p.summary / nullif(first.summary, 0)')} AS summary
  FROM passed p JOIN passed first USING (model, task_id, repetition) WHERE first.loop = 1 GROUP BY ALL ORDER BY ALL`;

const driftOf = (row: Row): LoopDrift => ({
  model: textOf(row, 'model'),
  loop: numberOf(row, 'loop'),
  cells: numberOf(row, 'cells'),
  code: row['code'] as number | null,
  summary: row['summary'] as number | null,
});

/** The code of the last sustained loop, and the first loop from which on no other came. */
const fixpointSql = (where: string): string => `
  WITH codes AS (
    SELECT s.model, s.task_id, s.repetition, s.loop, s.program_sha256 AS program, l.sustained_loops AS last
    FROM (SELECT * FROM samples WHERE ${where} AND step = 'generate') s
    JOIN (SELECT * FROM loops WHERE ${where} AND ended_by <> 'excluded' AND sustained_loops >= 2) l USING (model, task_id, repetition)
    WHERE s.loop <= l.sustained_loops),
  cells AS (
    SELECT model, task_id, repetition, max(last) AS last, 1 + coalesce(max(loop) FILTER (WHERE program <> final), 0) AS since
    FROM (SELECT *, max(program) FILTER (WHERE loop = last) OVER (PARTITION BY model, task_id, repetition) AS final FROM codes) GROUP BY model, task_id, repetition)
  SELECT model, count(*)::INT AS cells, count(*) FILTER (WHERE since < last)::INT AS fixed, avg(since) FILTER (WHERE since < last) AS since
  FROM cells GROUP BY model ORDER BY model`;

const fixpointsOf = (row: Row): Fixpoints => ({
  model: textOf(row, 'model'),
  cells: numberOf(row, 'cells'),
  fixed: numberOf(row, 'fixed'),
  from: row['since'] as number | null,
});
