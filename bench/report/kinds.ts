/** What a large run asks in each kind of study: its spec, and SQL of the tables that only this kind has. */
import { emotions } from '../../studies/promptse/templates.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { TableName } from '../../schemas/tables.ts';

export interface LargeKind {
  /** YAML of the study, but for its name, kind and benchmark. */
  spec(models: readonly string[], samples: number): string;
  /** Answers to each prompt. */
  readonly samples: number;
  /** Rounds of a cell; it ends after the first that fails. */
  readonly loops?: number;
  /** The step of each round. Default: generate. */
  readonly step?: string;
  /** Other questions of a round, without a program. */
  readonly further?: string;
  /** Each is a SELECT over `cells` and `answers`, one model's. */
  readonly tables: Partial<Record<TableName, string>>;
  /** Over `prompts` and `tasks`. */
  readonly variants?: string;
}

/** And the page. */
const key = 'run, study, model, benchmark, task_id, language, variant, setting, repetition, part';
const counts = 'count(*) AS n_samples, count(*) FILTER (passes) AS n_passed, 0 AS n_excluded, false AS simulated';
const emotionList = `[${emotions.map((name) => `'${name}'`).join(', ')}]`;

/** d0.2-03: distance 0.2, and the third emotion from one that the task decides. */
const distanceSql = `CASE WHEN variant <> 'original' THEN CAST(variant[2:4] AS DOUBLE) END`;
const emotionSql =
  `CASE WHEN variant <> 'original' THEN ${emotionList}[1 + ((hash(task_id) % 8)::INT + CAST(variant[6:] AS INT)) % ` +
  `${emotions.length}] END`;
const near = (distance: string): string => `${distance} * (0.8 + 0.4 * unit(hash(task_id, variant)))`;

const promptse: LargeKind = {
  spec: () => 'repetitions: 2, settings: { variants: 4, samples: 2, rewriter: rules }',
  samples: 2,
  tables: {
    prompt_scores: `SELECT ${key}, ${distanceSql} AS distance, ${emotionSql} AS emotion,
      ${near(distanceSql)} AS edit_distance, ${counts}, avg(passes::INT) AS pass_rate, 0 AS n_without_logprobs,
      count(*) AS light_samples, count(*) FILTER (passes) AS light_passed, avg(passes::INT) AS soft_exec
      FROM answers GROUP BY ALL`,
    logprobs: `SELECT ${key}, loop, step, sample, 0 AS ask, false AS simulated,
      list_transform(range(60), i -> -0.3 * unit(hash(call_key, i)))::FLOAT[] AS logprobs FROM answers`,
  },
  variants: `SELECT task_id, variant, 'original' AS parent_variant, 'style' AS kind, ${distanceSql} AS distance,
    ${emotionSql} AS emotion, 'expert' AS technical, 'senior' AS experience, 'team' AS collaboration,
    'rules' AS rewriter, 'v1' AS template_version, 'accepted' AS status, 1 AS attempts, 20 AS words,
    0.2 * unit(hash(variant, task_id)) AS technical_share, ${near(distanceSql)} AS edit_distance, prompt,
    false AS simulated
    FROM tasks CROSS JOIN prompts WHERE variant <> 'original'`,
};

const programTables = {
  quality: `SELECT DISTINCT ON (part, program_sha256) program_sha256, part, page, 12 AS loc,
  (hash(solution) % 3)::INT AS code_smells,
    (hash(solution, 1) % 5)::INT AS unreadability, (hash(solution, 2) % 2)::INT AS handlers, 0 AS raises,
    (hash(solution) % 3) / 1.2 AS code_smell_density, (hash(solution, 1) % 5) / 1.2 AS unreadability_density,
    (hash(solution, 2) % 2) / 1.2 AS exception_density, '4.0' AS pylint, '3.14.2' AS python FROM answers`,
  timings: `SELECT execution_id, part, page, repeat, 'completed' AS "end", 1e6 * (1 + unit(hash(execution_id,
  repeat))) AS cpu_ns,
    1.1e6 * (1 + unit(hash(execution_id, repeat))) AS wall_ns, 0 AS switches, 0.0 AS waited_ns, false AS noisy,
    0 AS redone,
    1 AS core, 1e6 * (1 + unit(hash(execution_id))) AS yardstick_cpu_ns,
    1.1e6 * (1 + unit(hash(execution_id))) AS yardstick_wall_ns
    FROM (SELECT DISTINCT execution_id, part, page FROM judged WHERE suite = 'base' AND outcome = 'pass'),
    range(1, 4) AS r(repeat)`,
} as const;

const robunfr = (spec: LargeKind['spec']): LargeKind => ({
  spec,
  samples: 1,
  tables: {
    nfr_scores: `SELECT ${key}, coalesce(dimension, 'function-only') AS dimension, phrasing, step, passes AS passed,
      CASE WHEN NOT passes THEN 'wrong_output' END AS failure, false AS simulated FROM answers`,
    ...programTables,
  },
});

/** The first of each two models is the old version of the second. */
const pairsOf = (models: readonly string[]): string[] =>
  models.flatMap((model, place) => (place % 2 === 1 ? [`["${models[place - 1]}", "${model}"]`] : []));

/** A kind of study that is missing here is not measured. */
const largeKinds: Readonly<Partial<Record<SpecStudy['kind'], LargeKind>>> = {
  pass: {
    spec: (_models, samples) => `repetitions: 2, settings: { samples: ${samples} }`,
    samples: 14,
    tables: { pass_counts: `SELECT ${key}, ${counts} FROM answers GROUP BY ALL` },
  },
  evaloop: {
    spec: () => 'repetitions: 3, settings: { maxLoops: 10, judge: none }',
    ...{ samples: 1, loops: 10, further: 'summarize' },
    tables: {
      loops: `SELECT ${key}, count(*) FILTER (passes) AS sustained_loops,
        CASE WHEN bool_and(passes) THEN 'survived' ELSE 'code_failed' END AS ended_by,
        min(failure) AS ended_outcome, CASE WHEN count(*) FILTER (passes) NOT IN (0,
        10) THEN 'no judge' ELSE 'not needed'
        END AS similarity_reason, false AS simulated FROM answers GROUP BY ALL`,
    },
  },
  'evaloop-translation': {
    spec: () => 'repetitions: 8, settings: { through: [php, rb, js, pl, py], tasks: shared }',
    ...{ samples: 1, loops: 5, step: 'translate' },
    tables: {
      chains: `SELECT ${key}, 5 AS steps, count(*) FILTER (passes) AS sustained_steps,
        count(*) FILTER (passes) AS passed_steps, CASE WHEN bool_and(passes) THEN 'survived' ELSE 'code_failed' END
        AS ended_by, min(failure) AS ended_outcome, false AS simulated FROM answers GROUP BY ALL`,
      translations: `SELECT ${key}, loop, ['python', 'php', 'ruby', 'javascript', 'perl'][loop] AS source_language,
        ['php', 'ruby', 'javascript', 'perl', 'python'][loop] AS target_language, coalesce(failure,
        'pass') AS outcome,
        false AS simulated FROM answers`,
    },
  },
  promptse,
  specificity: {
    spec: () => 'settings: { draws: 2, wordLimits: [10, 25, 50, 75, 100, 125, 150, 175, 200] }',
    samples: 1,
    tables: {
      prompt_passes: `SELECT ${key}, augmentation, level, draw, 40 AS words, passes AS passed, false AS simulated
        FROM answers`,
    },
    variants: `SELECT task_id, variant, 'maximal' AS parent_variant, 'detail' AS kind, augmentation, level, draw,
      'rules' AS rewriter, 'v1' AS template_version, 'accepted' AS status, 1 AS attempts, 40 AS words,
      0.5 AS edit_distance,
      prompt, false AS simulated FROM tasks CROSS JOIN prompts WHERE variant <> 'original'`,
  },
  'robunfr-prompts': robunfr(() => 'repetitions: 8, settings: { dimensions: [design, reliability] }'),
  'robunfr-regression': robunfr(
    (models) => `repetitions: 8, settings: { dimensions: [design, reliability], pairs: [${pairsOf(models)}] }`,
  ),
  'robunfr-workflows': robunfr(() => 'repetitions: 8, settings: { dimensions: [reliability] }'),
};

/** @param times as many answers to each prompt */
export function largeKind(kind: SpecStudy['kind'], times = 1): LargeKind {
  const found = largeKinds[kind];
  if (found === undefined) throw new Error(`no large run of kind ${kind} is known; add one to bench/report/kinds.ts`);
  return { ...found, samples: found.samples * times };
}
