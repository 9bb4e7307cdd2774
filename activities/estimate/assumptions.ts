/** What an estimate rests on, in sentences for a person; only what plays a part in this one. */
import type { Spec } from '../../schemas/spec.ts';
import { expectedPasses } from '../../studies/evaloop/forecast.ts';
import { labelRuns } from '../../studies/specificity/labels.ts';
import { positionsOf, rolesOf, type SpecificityStudy } from '../../studies/specificity/settings.ts';
import { isRobunfr } from '../../studies/robunfr/steps.ts';
import { bytesPerAnsweredToken, bytesPerLogprob, bytesPerSample } from './disk.ts';
import { simulatedPrograms } from './fresh-questions.ts';
import type { Lane } from './lane-estimate.ts';
import { assumedLatency, engineCallsPerSecond, measuredPerCoreSecond, type Pace, timedPerSecond } from './times.ts';
import { bytesPerQuotedToken, countedTasks } from './token-counts.ts';

export function assumptionsOf(spec: Spec, lanes: readonly Lane[], pace: Pace, tier: string): string[] {
  const kinds = new Set(spec.studies.map(({ kind }) => kind));
  return [
    `tokens by the o200k tokenizer over the study's own prompts, means over the tasks (over ${countedTasks} of larger benchmarks); other tokenizers differ by a fifth; at most, and in what is reserved, a token for each byte (${bytesPerQuotedToken} for each token of an answer that is quoted) at the dearest price that may apply`,
    "an expected program is the benchmark's solution, a summary or wording as long as the task's text; at least answers are empty, at most they reach maxTokens",
    ...(kinds.has('evaloop')
      ? [
          `evaloop: ${percent(expectedPasses.first)} of tasks pass the first loop and ${percent(expectedPasses.later)} each later one, as published for three models; each break is judged once`,
        ]
      : []),
    ...(kinds.has('promptse') ? ['promptse: a variant is as long as its original; a rewriter needs one draw for each'] : []),
    ...spec.studies.flatMap((study) => (study.kind === 'specificity' ? [specificityAssumption(study)] : [])),
    ...(Object.values(spec.benchmarks).some(({ format }) => format === 'pareval')
      ? ['pareval: a program is built and run once per thread count and repeat, seconds to minutes each; that is not in the times']
      : []),
    ...(spec.studies.some(isRobunfr) ? robunfrAssumptions(tier) : []),
    ...latencies(lanes, pace),
    `${pace.programsPerSecond} programs judged a second (${tier} sandbox, this machine's cores), equal ones not counted once; one whose reference takes longer takes as long as that does on this machine; ${engineCallsPerSecond} calls a second carried at most`,
    `${bytesPerSample} bytes of disk a sample, ${bytesPerAnsweredToken} a token answered and ${bytesPerLogprob} a log-probability, measured on runs of simulated models`,
  ];
}

/** What is asked before the study itself, and what of it is a guess. */
function specificityAssumption({ name, settings }: SpecificityStudy): string {
  const prompts = positionsOf(settings).length;
  const { writer, checker, summarizer } = rolesOf(settings);
  const labels = labelRuns(settings).length;
  const parts = [
    `${prompts} prompts a task, all asked: equal texts of a task, which are asked once, are not known before`,
    ...(writer === null ? [] : [`one maximal prompt is written, at most ${settings.maxDraws}`]),
    ...(checker === null ? [] : ['each is solved once by the checker']),
    ...(summarizer === null ? [] : [`one answer a word limit, at most ${settings.summaryAsks}`]),
    ...(labels === 0
      ? []
      : [`every summary is labelled ${labels} ${labels === 1 ? 'time' : 'times'}, with up to ${settings.labelAsks} questions`]),
    'a maximal description is as long as what the rules write; a set made before on this machine is taken up, and then none of its calls is made',
  ];
  return `specificity, study ${name}: ${parts.join('; ')}`;
}

const robunfrAssumptions = (tier: string): string[] => [
  'robunfr: an improvement is as long as the solution; a question that several studies put to one model, such as that for plain code, is asked once and counted with the first of them',
  ...(tier === 'embedded'
    ? []
    : [
        `robunfr: ${pacesOf(tier)}; equal programs are measured once: at least all of a task and model are equal, as expected they differ by phrasing while plain answers at temperature 0 do not (of simulated models ${simulatedPrograms} a task and kind of question differ), at most all do`,
      ]),
];

const pacesOf = (tier: string): string =>
  tier === 'container'
    ? `the quality of ${measuredPerCoreSecond} programs a second and core is measured, and ${timedPerSecond} a second are timed, while nothing else runs`
    : `${timedPerSecond} programs a second are timed, while nothing else runs`;

function latencies(lanes: readonly Lane[], { medianLatencyMs }: Pace): string[] {
  const models = [...new Set(lanes.map(({ estimate }) => estimate.answeringModel))];
  const measured = models.flatMap((model) => {
    const ms = medianLatencyMs(model);
    return ms === null ? [] : [`${model} ${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`];
  });
  const { seconds, secondsPerToken } = assumedLatency;
  return [
    ...(measured.length === 0 ? [] : [`an answer takes as long as the run's own did in the middle: ${measured.join(', ')}`]),
    ...(measured.length === models.length
      ? []
      : [`an answer takes ${seconds} s and ${secondsPerToken * 1000} ms a token; of simulated and replayed models, no time`]),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
