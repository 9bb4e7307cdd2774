/** What an estimate rests on, in sentences for a person; only what plays a part in this one. */
import type { Spec } from '../../schemas/spec.ts';
import { rulesOf } from '../../studies/index.ts';
import { bytesPerAnsweredToken, bytesPerLogprob, bytesPerSample } from './disk.ts';
import { simulatedPrograms } from './fresh-questions.ts';
import type { Lane } from './lane-estimate.ts';
import { assumedLatency, engineCallsPerSecond, measuredPerCoreSecond, type Pace, timedPerSecond } from './times.ts';
import { bytesPerQuotedToken, countedTasks } from './token-counts.ts';

export function assumptionsOf(spec: Spec, lanes: readonly Lane[], pace: Pace, tier: string): string[] {
  return [
    `tokens by the o200k tokenizer over the study's own prompts, means over the tasks (over ${countedTasks} of larger benchmarks); other tokenizers differ by a fifth; at most, and in what is reserved, a token for each byte (${bytesPerQuotedToken} for each token of an answer that is quoted) at the dearest price that may apply`,
    "an expected program is the benchmark's solution, a summary or wording as long as the task's text; at least answers are empty, at most they reach maxTokens",
    ...studyAssumptions(spec, tier),
    ...(Object.values(spec.benchmarks).some(({ format }) => format === 'pareval')
      ? ['pareval: a program is built and run once per thread count and repeat, seconds to minutes each; that is not in the times']
      : []),
    ...(lanes.some(({ isMeasured }) => isMeasured) && tier !== 'embedded' ? [measuringAssumption(tier)] : []),
    ...latencies(lanes, pace),
    `${pace.programsPerSecond} programs judged a second (${tier} sandbox, this machine's cores), equal ones not counted once; one whose reference takes longer takes as long as that does on this machine; ${engineCallsPerSecond} calls a second carried at most`,
    `${bytesPerSample} bytes of disk a sample, ${bytesPerAnsweredToken} a token answered and ${bytesPerLogprob} a log-probability, measured on runs of simulated models`,
  ];
}

/** Of each kind of study that the spec has, in the order of their first studies. */
const studyAssumptions = ({ studies }: Spec, tier: string): readonly string[] =>
  [...Map.groupBy(studies, (study) => rulesOf(study).assumptions).entries()].flatMap(([assumptions, alike]) =>
    assumptions === undefined ? [] : assumptions(alike, tier),
  );

const measuringAssumption = (tier: string): string =>
  `measuring: ${pacesOf(tier)}; equal programs are measured once: at least all of a task and model are equal, as expected they differ by phrasing while plain answers at temperature 0 do not (of simulated models ${simulatedPrograms} a task and kind of question differ), at most all do`;

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
