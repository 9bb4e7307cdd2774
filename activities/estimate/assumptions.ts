/** The assumptions of an estimate, as sentences for the user; only those that affect this estimate. */
import type { Spec } from '../../schemas/spec.ts';
import { type ReasoningEffort, reasoningEfforts } from '../../schemas/spec/parameters.ts';
import { assumedThoughts } from './thoughts.ts';
import { rulesOf } from '../../studies/index.ts';
import { bytesOfTemporal, bytesPerAnsweredToken, bytesPerLogprob, bytesPerSample } from './disk.ts';
import { simulatedPrograms } from './fresh-questions.ts';
import type { Lane } from './lane-estimate.ts';
import { assumedLatency, engineCallsPerSecond, measuredPerCoreSecond, type Pace, timedPerSecond } from './times.ts';
import { bytesPerQuotedToken, countedTasks } from './token-counts.ts';

export function assumptionsOf(spec: Spec, lanes: readonly Lane[], pace: Pace, tier: string): string[] {
  return [
    `tokens: o200k tokenizer on the study's own prompts, means over the tasks (over ${countedTasks} of larger ` +
      'benchmarks); other tokenizers differ by up to a fifth; maximum and reservations: a token per byte ' +
      `(${bytesPerQuotedToken} per token of a quoted answer) at the highest price that may apply`,
    "answers: a program is expected to be as long as the benchmark's solution, a summary or rephrased prompt as long " +
      "as the task's text; minimum: empty answers, maximum: maxTokens, or the context window of a model that thinks " +
      'and has no limit of its own',
    ...thoughtLines(lanes),
    ...studyAssumptions(spec, tier),
    ...(Object.values(spec.benchmarks).some(({ format }) => format === 'pareval')
      ? [
          'pareval: a program is built and run once per thread count and repeat, seconds to minutes each; not ' +
            'included in the times',
        ]
      : []),
    ...(lanes.some(({ isMeasured }) => isMeasured) && tier !== 'embedded' ? [measuringAssumption] : []),
    ...sharedRequests(spec, lanes),
    ...(lanes.some(({ isBatched }) => isBatched) ? [batches] : []),
    ...latencies(lanes, pace),
    `judging: ${pace.programsPerSecond} programs per second (${tier} sandbox, this machine's cores), duplicates ` +
      'included; programs of a task with a slow reference take as long as it takes on this machine; at most ' +
      `${engineCallsPerSecond} calls per second`,
    `disk: ${bytesPerSample} bytes per sample, ${bytesPerAnsweredToken} per answered token and ${bytesPerLogprob} ` +
      'per log-probability, measured on runs of simulated models; evenkeel’s own Temporal server keeps ' +
      `${bytesOfTemporal / 1e6} MB more in the runs folder (.temporal), once for all its runs`,
  ];
}

/** Where thoughts were measured, or an effort is asked for. */
function thoughtLines(lanes: readonly Lane[]): string[] {
  const measured = lanes.flatMap(({ estimate: { study, answeringModel }, thinking }) =>
    thinking.measured === null ? [] : [`${answeringModel} (${study}) ${Math.round(thinking.measured)}`],
  );
  const efforts = new Set(
    lanes.flatMap(({ thinking: { measured: known, effort } }) => (known === null ? (effort ?? []) : [])),
  );
  const assumed = reasoningEfforts.filter((effort) => efforts.has(effort));
  return [
    ...(measured.length === 0
      ? []
      : [`thoughts: the mean of this run's answers so far, tokens per answer: ${[...new Set(measured)].join(', ')}`]),
    ...(assumed.length === 0 ? [] : [assumedLine(assumed)]),
  ];
}

function assumedLine(efforts: readonly ReasoningEffort[]): string {
  const each = efforts.map((effort) => `${assumedThoughts[effort]} tokens per answer at ${effort}`).join(', ');
  return (
    `thoughts: assumed, ${each}; models differ by a factor of ten, so run two tasks and plan again: then they are ` +
    'measured. The maximum is the model’s own limit, else its context window'
  );
}

/** Of models that are asked for several answers at once, in a study that draws several. */
function sharedRequests({ models }: Spec, lanes: readonly Lane[]): string[] {
  const shared = lanes.flatMap(({ estimate: { answeringModel, newCalls, newAnswers } }) =>
    newCalls.minimum < newAnswers.minimum ? [answeringModel] : [],
  );
  const named = models.filter(({ id }) => shared.includes(id));
  if (named.length === 0) return [];
  const each = named.map(({ id, samplesPerRequest }) => `${id} up to ${samplesPerRequest}`).join(', ');
  return [
    `samplesPerRequest: calls and input tokens are counted by requests for several answers (${each}); reused calls ` +
      'are answers. Maximum: one answer a request, as of an endpoint that refuses several',
  ];
}

const batches =
  'batches: all at their lower price; questions that fail in a batch are asked as calls at the full price. ' +
  'The time that batches spend at the endpoint, up to a day for each question that depends on the one before, is not ' +
  'in the times';

/** Assumptions of each kind of study in the spec, in the order of their first studies. */
const studyAssumptions = ({ studies }: Spec, tier: string): readonly string[] =>
  [...Map.groupBy(studies, (study) => rulesOf(study).assumptions).entries()].flatMap(([assumptions, alike]) =>
    assumptions === undefined ? [] : assumptions(alike, tier),
  );

const measuringAssumption =
  `measuring: quality of ${measuredPerCoreSecond} programs per second and core, time of ${timedPerSecond} per ` +
  'second, with nothing else running; equal programs are measured once, and each task of a model has its reference ' +
  'timed too. Minimum: one program per task and model; expected: programs differ by phrasing, except plain answers ' +
  `at temperature 0 (simulated models: ${simulatedPrograms} different programs per task and kind of question); ` +
  'maximum: all differ';

function latencies(lanes: readonly Lane[], { medianLatencyMs }: Pace): string[] {
  const models = [...new Set(lanes.map(({ estimate }) => estimate.answeringModel))];
  const measured = models.flatMap((model) => {
    const ms = medianLatencyMs(model);
    return ms === null ? [] : [`${model} ${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`];
  });
  const { seconds, secondsPerToken } = assumedLatency;
  return [
    ...(measured.length === 0 ? [] : [`latency: the median of this run's answers so far: ${measured.join(', ')}`]),
    ...(measured.length === models.length
      ? []
      : [`latency: ${seconds} s plus ${secondsPerToken * 1000} ms per token; none for simulated and replayed models`]),
  ];
}
