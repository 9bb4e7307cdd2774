/** Rules for a model's parameters that a schema cannot state. */
import { ownBodyKeys, sentNames } from '../../schemas/spec/parameters.ts';
import type { SpecModel } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';

/** @param path of the model */
export const parameterFaults = ({ parameters }: SpecModel, path: Fault['path']): Fault[] => [
  ...extraBodyFaults(parameters?.extraBody ?? {}, [...path, 'parameters', 'extraBody']),
  ...unsendableFaults(parameters?.chatTemplateKwargs ?? {}, [...path, 'parameters', 'chatTemplateKwargs']),
];

function extraBodyFaults(extraBody: Readonly<Record<string, unknown>>, path: Fault['path']): Fault[] {
  const own = Object.keys(extraBody).filter((key) => ownBodyKeys.includes(key));
  return [
    ...own.map((key) => ({ path: [...path, key], rule: ownKeyRule(key), atKey: true })),
    ...unsendableFaults(extraBody, path),
  ];
}

function ownKeyRule(key: string): string {
  const inSpec = Object.entries(sentNames).find(([, sent]) => sent === key)?.[0];
  const instead = inSpec === undefined ? 'remove it' : `write parameters.${inSpec}`;
  return `extraBody must not hold ${key}, which evenkeel sets: ${instead}; it sets ${ownBodyKeys.join(', ')}`;
}

/** JSON has no infinities and no NaN; YAML has. */
function unsendableFaults(values: Readonly<Record<string, unknown>>, path: Fault['path']): Fault[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isJson(value) ? [] : [{ path: [...path, key], rule: 'must be JSON, which has no .inf and no .nan', atKey: true }],
  );
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isJson);
}
