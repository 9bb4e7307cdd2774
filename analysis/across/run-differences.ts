/** What differs between the specs, versions and answering models of several runs. */
import { canonicalJson } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { ModelCalls } from '../report/model-calls.ts';
import type { RunDifference } from './across-runs.ts';

/** By area, then in the order of the first run that has it. */
export function runDifferences(manifests: readonly Manifest[], calls: readonly ModelCalls[]): RunDifference[] {
  const facts = manifests.map((manifest) => factsOf(manifest, calls));
  const keys = [...new Set(facts.flatMap((own) => [...own.keys()]))];
  const found = keys.flatMap((key) => {
    const values = facts.map((own) => own.get(key) ?? null);
    const { area, name } = JSON.parse(key) as { area: string; name: string };
    return new Set(values).size < 2 || isOfMissing(facts, { area, name }) ? [] : [{ area, name, values }];
  });
  return found.toSorted((a, b) => placeOf(a.area) - placeOf(b.area));
}

const areas = ['spec', 'model', 'study', 'benchmark', 'provider', 'versions'] as const;
const placeOf = (area: string): number => areas.findIndex((name) => area.startsWith(name));

type Facts = ReadonlyMap<string, string>;

const whole = '';
const keyOf = (area: string, name: string): string => JSON.stringify({ area, name });

/** Whether a run lacks the whole model, study or benchmark: one line says so. */
const isOfMissing = (facts: readonly Facts[], { area, name }: { readonly area: string; readonly name: string }) =>
  name !== whole &&
  facts.some((own) => !own.has(keyOf(area, whole))) &&
  facts.some((own) => own.has(keyOf(area, whole)));

function factsOf({ spec, versions, sandbox, programVersion, runId }: Manifest, calls: readonly ModelCalls[]): Facts {
  const { seed, models, studies, benchmarks, providers, name: _name, ...others } = spec;
  const named = [
    ...models.map(({ id, ...model }) => [`model ${id}`, { ...model, ...answeredBy(calls, runId, id) }] as const),
    ...studies.map(({ name, ...study }) => [`study ${name}`, study] as const),
    ...Object.entries(benchmarks).map(([name, benchmark]) => [`benchmark ${name}`, benchmark] as const),
    ...Object.entries(providers).map(([name, provider]) => [`provider ${name}`, provider] as const),
  ];
  return new Map([
    ...flat('spec', { seed, ...others }),
    ...named.flatMap(([area, value]): [string, string][] => [[keyOf(area, whole), 'yes'], ...flat(area, value)]),
    ...flat('versions', { program: programVersion, ...versions, sandbox }),
  ]);
}

/** As the endpoint named itself in its replies. */
function answeredBy(calls: readonly ModelCalls[], run: string, id: string): object {
  const own = calls.filter((one) => one.run === run && one.model === id);
  return {
    'returned model': [...new Set(own.flatMap(({ returnedModels }) => returnedModels))].toSorted().join(', '),
    fingerprint: [...new Set(own.flatMap(({ fingerprints }) => fingerprints))].toSorted().join(', '),
  };
}

/** `settings.maxLoops`: nested names joined by dots; lists stay whole. */
function flat(area: string, value: object, above = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const path = above === '' ? name : `${above}.${name}`;
    if (inner === undefined || inner === '') return [];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return flat(area, inner as object, path);
    return [[keyOf(area, path), typeof inner === 'string' ? inner : canonicalJson(inner)]];
  });
}
