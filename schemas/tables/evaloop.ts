/** Tables of EVALOOP: loops, judgements, scores and attacks. */
import { bool, estimate, float, int, interval, text, type Table } from './column.ts';
import { solvedCost } from './costs.ts';
import { cellKey, cellKeyNames } from './keys.ts';

export const evaloopTables = {
  judgements: {
    name: 'judgements',
    meaning: 'Every answer of a judge, and the score read from it.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'sample', 'ask'],
    columns: {
      ...cellKey,
      loop: int('l, the loops that the task sustained: prompt l is compared with summary l.'),
      ask: int('How often this question was asked before, from 0.'),
      sample: int('Number of the judgement among those of the break, judge by judge; `samples` has it too.', {
        nullWhen: 'an earlier version made the row: 0',
      }),
      judge: text('Id of the judging model.'),
      repeat: int('How often this judge scored the break before, from 0.', {
        nullWhen: 'an earlier version made the row: 0',
      }),
      score: float('Similarity in [0, 1].', { nullWhen: 'the answer contained no score' }),
      reason: text('Why there is no score.', { nullWhen: 'there is one' }),
      simulated: bool('True when the judge or the model under study is simulated.'),
    },
  },
  loops: {
    name: 'loops',
    meaning: 'EVALOOP: how many loops each cell sustained and what ended it.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      sustained_loops: int('Loops whose code passed all suites, 0 to M.'),
      ended_by: text(
        'survived, code_failed, no_code, no_summary, excluded (stopped by a limit of evenkeel; not counted), or ' +
          'not_asked (a rescored run lacks the next answer; counted with the loops known so far, in asl with ' +
          'similarity 0: a lower bound).',
      ),
      ended_outcome: text('Outcome of the code that failed; not_run if an attack does not change the prompt.', {
        nullWhen: 'no code failed',
      }),
      similarity: float("The judge's Sim for 1 <= l < M, in [0, 1].", {
        nullWhen: 'l is 0 or M, the cell is not counted, there is no summary or no judge, or no score could be read',
      }),
      similarity_reason: text('Why similarity is null.', { nullWhen: 'similarity is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  asl: {
    name: 'asl',
    meaning:
      'EVALOOP: Average Sustainable Loops per model and setting, with intervals (method says how each was made).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      judge: text('Ids of the judging models; scores by different judges are not comparable.', {
        nullWhen: 'there is no judge',
      }),
      ...estimate('asl'),
      asl_lo: float('Lower end of its interval.', { nullWhen: 'asl is null' }),
      asl_hi: float('Upper end of its interval.', { nullWhen: 'asl is null' }),
      judge_error: float(
        'Standard error of asl from the choice of judges; asl_lo and asl_hi include it. It has no interval.',
        {
          nullWhen:
            'one model judges, breaks of fewer than two tasks have a score of each judge that counts, or an earlier ' +
            'version made the row',
        },
      ),
      ...estimate('asl_unweighted'),
      asl_unweighted_lo: float('Lower end of its interval.', { nullWhen: 'asl_unweighted is null' }),
      asl_unweighted_hi: float('Upper end of its interval.', { nullWhen: 'asl_unweighted is null' }),
      ...estimate('pass_at_1'),
      pass_at_1_lo: float('Lower end of its interval.', { nullWhen: 'pass_at_1 is null' }),
      pass_at_1_hi: float('Upper end of its interval.', { nullWhen: 'pass_at_1 is null' }),
      absolute_drop: float('pass@1 after loop 1 minus pass@1 after loop M, both over the n cells that count.', {
        nullWhen: 'no cell counts',
      }),
      absolute_drop_lo: float('Lower end of its interval.', { nullWhen: 'absolute_drop is null' }),
      absolute_drop_hi: float('Upper end of its interval.', { nullWhen: 'absolute_drop is null' }),
      survival_lo: {
        type: 'floatList',
        meaning: 'Lower ends of the intervals of pass@1 after loop 1, 2, ... M; empty without cells.',
      },
      survival_hi: { type: 'floatList', meaning: 'Upper ends of these intervals.' },
      n_sustained: { type: 'intList', meaning: 'Cells that sustained exactly i loops, i = 0..M.' },
      max_loops: int('M, the most loops of a task.'),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      n: int('Cells that count: those whose end is known. pass_at_1 and survival also have what is known of others.'),
      n_excluded: int("Cells excluded because of evenkeel's limits."),
      n_unscored: int('Cells with 1 <= l < M whose similarity is null.'),
      reason: text('Why a value is null.', { nullWhen: 'asl is not null' }),
      ceiling: float(
        'Share of tasks whose own reference passes all suites, of those whose reference could be judged. It covers ' +
          'all of them, so it has no interval.',
        {
          nullWhen: 'unknown',
        },
      ),
      ...solvedCost,
      simulated: bool('True when the model is simulated.'),
    },
  },
  loop_judges: {
    name: 'loop_judges',
    meaning:
      'EVALOOP: how far several judges agree on the same breaks, and each judge with its own repeats. One row for ' +
      'the judges together and one per judge; no rows if each break is judged once.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'compared', 'judge'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      compared: text('judges: the means of several judges; repeats: the repeats of one judge.'),
      judge: text('Id of the judge; for several, their ids separated by commas.'),
      ...interval('alpha', "Krippendorff's alpha of the scores, for interval data: 1 if all agree, 0 as by chance"),
      ...interval('disagreement', 'Mean difference of two scores of the same break, without sign'),
      ...interval('score', 'Mean score of the breaks'),
      ...interval('asl', 'ASL with these scores alone'),
      n: int('Breaks with at least two scores.'),
      n_tasks: int('Their tasks.'),
      n_scored: int('Breaks with a score.'),
      n_missing: int('Scores that were asked for and could not be read.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      reason: text('Why values are null.', { nullWhen: 'no value is null' }),
      simulated: bool('True when the model or a judge is simulated.'),
    },
  },
  attacks: {
    name: 'attacks',
    meaning:
      'EVALOOP: each model under each attack on the first prompt, compared with the same tasks without attack. ' +
      'All p of a study form one family (Holm).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'attack'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      attack: text('Name of the attack.'),
      family: text('format (EVALOOP) or wording (in the manner of ReCode).'),
      draws: int('Variants of each prompt (draws of a random attack).'),
      ...interval('pass_at_1_original', 'Share of first answers that pass, with the original prompts'),
      ...interval('pass_at_1', 'The same under the attack'),
      ...interval('pass_difference', 'pass_at_1 - pass_at_1_original'),
      broken: int('Tasks that pass less often under the attack than without it.'),
      mended: int('Tasks that pass more often under the attack than without it.'),
      p: float(
        "p of McNemar's exact test; with repetitions or draws, " +
          'of a permutation test that swaps the two sides of whole tasks.',
        {
          nullWhen: 'no task counts',
        },
      ),
      p_adjusted: float('p adjusted over all models and attacks of the study (Holm).', {
        nullWhen: 'p is null',
      }),
      ...interval('asl_unweighted_original', 'ASL with every s_i = 1, with the original prompts'),
      asl_unweighted: float('The same under the attack.', { nullWhen: 'no task counts' }),
      asl_unweighted_lo: float('Lower end of its interval.', { nullWhen: 'no task counts' }),
      asl_unweighted_hi: float('Upper end of its interval.', { nullWhen: 'no task counts' }),
      ...interval('asl_difference', 'asl_unweighted - asl_unweighted_original'),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How test and intervals were made.'),
      n: int('Tasks that count on both sides.'),
      n_unchanged: int('Tasks whose prompt the attack does not change: not asked.'),
      n_excluded: int("Tasks excluded because of evenkeel's limits: the first answer of either side was not judged."),
      reason: text('Why values are null.', { nullWhen: 'no value is null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
