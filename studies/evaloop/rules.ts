/** Rules of EVALOOP. */
import type { Fault } from '../../domain/spec/faults.ts';
import { knownHint } from '../../domain/nearest.ts';
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import { askedAs } from '../../domain/spec/equal-requests.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { StudyRules } from '../rules.ts';
import { attacks } from './attacks/index.ts';
import { attackVariantNames } from './attacks/variants.ts';
import { attackSettings } from './cells.ts';
import { expectedPasses } from './forecast.ts';
import { judgementsOf, judgePanel } from './judges.ts';
import { judgeDecoding } from './prompts.ts';
import type { EvaloopStudy } from './settings.ts';

export const evaloopRules: StudyRules<EvaloopStudy> = {
  roleSettings: ({ settings: { judge } }) =>
    typeof judge === 'string'
      ? [{ setting: 'judge', model: judge, without: 'none' }]
      : judge.models.map((model, index) => ({ setting: 'judge', within: ['models', index], model })),
  faults: (study, spec) => [
    ...attackFaults(study),
    ...pairFaults(study),
    ...benchmarkFaults(study, spec),
    ...judgeFaults(study, spec),
  ],
  additive: ['attacks', 'attackDraws', 'summaryPrompts', 'temperatures', 'sampledRuns', 'maxLoops'],
  depth: ({ settings }) => ({ setting: 'maxLoops', value: settings.maxLoops }),
  lost,
  assumptions: (studies) => [
    `evaloop: ${percent(expectedPasses.first)} of tasks pass the first loop and ${percent(expectedPasses.later)} ` +
      'each later one, as published for three models; each break is judged once' +
      (studies.some(({ settings }) => judgementsOf(judgePanel(settings)).length > 1) ? ' per judge and repeat' : ''),
  ],
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Checks attack names here, because the spec's schema has no list of attacks. */
const attackFaults = ({ settings }: EvaloopStudy): Fault[] =>
  settings.attacks.flatMap((name, at) =>
    attackNames.includes(name)
      ? []
      : [{ path: ['settings', 'attacks', at], rule: `no attack "${name}"; ${knownHint(name, attackNames)}` }],
  );
const attackNames = attacks.map(({ name }) => name);

const pairFaults = ({ settings: { pair, summaryPrompts } }: EvaloopStudy): Fault[] =>
  pair !== 'summary' && summaryPrompts.length > 0
    ? [{ path: ['settings', 'summaryPrompts'], rule: `must be empty with pair: ${pair}, which asks for no summary` }]
    : [];

/**
 * Formats whose prompts are docstrings with an assert in their second-to-last line. In evenkeel's own format, that
 * depends on the file.
 */
const withAssertLine: ReadonlySet<BenchmarkFormatName> = new Set(['mbpp-plus', 'evenkeel']);

function benchmarkFaults({ benchmark }: EvaloopStudy, { benchmarks }: Spec): Fault[] {
  const format = benchmarks[benchmark]?.format;
  if (format === undefined || withAssertLine.has(format)) return [];
  const rule =
    `evaloop attaches the assert of a prompt's second-to-last line in every loop, and ${format} has none; use one ` +
    `of ${[...withAssertLine].join(', ')}`;
  return [{ path: ['benchmark'], rule }];
}

/** Equal requests share an answer, so the second of two such judges would only repeat the first. */
function judgeFaults({ settings: { judge } }: EvaloopStudy, spec: Spec): Fault[] {
  if (typeof judge === 'string') return [];
  const given = [{ ...judgeDecoding, temperature: judge.temperature }];
  return judge.models.flatMap((id, index) => {
    const alike = askedAs(spec, id, given);
    const first = judge.models.slice(0, index).find((other) => alike.includes(other));
    if (first === undefined) return [];
    const rule =
      `"${id}" is asked the same as "${first}" (one model at one endpoint, with the same parameters) and ` +
      'would repeat its answers; remove it, or raise repeats';
    return [{ path: ['settings', 'judge', 'models', index], rule }];
  });
}

function lost(old: EvaloopStudy, now: EvaloopStudy): string[] {
  const kept = new Set(namesOf(now));
  const missing = namesOf(old).filter((name) => !kept.has(name));
  const [before, after] = [old.settings.sampledRuns, now.settings.sampledRuns];
  return [
    ...missing.map((name) => `${name} is no longer in the spec`),
    ...(after < before ? [`${before} sampled runs in the run, ${after} in the spec`] : []),
  ];
}

const namesOf = ({ settings }: EvaloopStudy): string[] => [
  ...attackVariantNames(attackSettings(settings)).map((name) => `attack ${name}`),
  ...settings.summaryPrompts.map((name) => `summary prompt ${name}`),
  ...settings.temperatures.map((temperature) => `temperature ${temperature}`),
];
