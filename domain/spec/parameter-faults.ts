/** Rules for a model's parameters that a schema cannot state. */
import type { ApiName } from '../../schemas/spec/account.ts';
import { ownBodyKeys, responsesNames, sentNames } from '../../schemas/spec/parameters.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';
import { apiOf, isBuiltIn } from './provider-facts.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param path of the model */
export function parameterFaults(spec: Spec, model: SpecModel, path: Fault['path']): Fault[] {
  const { extraBody, chatTemplateKwargs } = model.parameters ?? {};
  const api = apiOf(spec, model);
  return [
    ...extraBodyFaults(api, extraBody ?? {}, [...path, 'parameters', 'extraBody']),
    ...unsendableFaults(chatTemplateKwargs ?? {}, [...path, 'parameters', 'chatTemplateKwargs']),
    ...(api === 'responses' ? responsesFaults(model, path) : []),
    ...(model.api !== undefined && isBuiltIn(model.provider)
      ? [{ path: [...path, 'api'], rule: `only a model of an account has an api; remove this key` }]
      : []),
  ];
}

function extraBodyFaults(api: ApiName, extraBody: Json, path: Fault['path']): Fault[] {
  const held = api === 'chat' ? Object.keys(extraBody) : keysWithin(extraBody);
  return [
    ...held
      .filter((key) => ownBodyKeys[api].includes(key))
      .map((key) => ({ path: [...path, ...key.split('.')], rule: ownKeyRule(api, key), atKey: true })),
    ...unsendableFaults(extraBody, path),
  ];
}

/** Also the keys within maps: `reasoning.effort`. */
const keysWithin = (map: Json): string[] =>
  Object.entries(map).flatMap(([key, value]) => [
    key,
    ...(typeof value === 'object' && value !== null ? Object.keys(value).map((inner) => `${key}.${inner}`) : []),
  ]);

function ownKeyRule(api: ApiName, key: string): string {
  const names = Object.entries(api === 'chat' ? sentNames : responsesNames);
  const inSpec = names.find(([, sent]) => sent === key)?.[0];
  const instead = inSpec === undefined || inSpec === 'logprobs' ? 'remove it' : `write parameters.${inSpec}`;
  return `extraBody must not hold ${key}, which evenkeel sets: ${instead}; it sets ${ownBodyKeys[api].join(', ')}`;
}

/** JSON has no infinities and no NaN; YAML has. */
function unsendableFaults(values: Json, path: Fault['path']): Fault[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isJson(value) ? [] : [{ path: [...path, key], rule: 'must be JSON, which has no .inf and no .nan', atKey: true }],
  );
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isJson);
}

/** What the Responses API lacks: a parameter that is not sent would silently make another study. */
function responsesFaults({ parameters = {}, samplesPerRequest = 1 }: SpecModel, path: Fault['path']): Fault[] {
  const unknown = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || Object.hasOwn(responsesNames, name) || name === 'extraBody' ? [] : [name],
  );
  return [
    ...unknown.map((name) => ({
      path: [...path, 'parameters', name],
      rule: `the Responses API has no ${name}; remove it, or ask the model with api: chat`,
      atKey: true,
    })),
    ...(samplesPerRequest > 1
      ? [{ path: [...path, 'samplesPerRequest'], rule: 'the Responses API gives one answer to a request; remove this' }]
      : []),
  ];
}
