/** What the schema finds wrong, in words: the rule and, where a name is unknown, the nearest one. */
import type { z } from 'zod';
import { nearest } from '../nearest.ts';
import { type Fault, knownHint } from './faults.ts';

type Issue = z.core.$ZodIssue;

/** What was checked, and by what. */
interface Checked {
  readonly value: unknown;
  readonly schema: z.ZodType;
}

export const schemaFaults = (issues: readonly Issue[], checked: Checked): Fault[] => issues.flatMap((issue) => faultsOf(issue, checked));

function faultsOf(issue: Issue, checked: Checked): Fault[] {
  const { path } = issue;
  const within = issue.code === 'invalid_union' ? issue.errors.find(isWithin) : undefined;
  if (within) return within.flatMap((inside) => faultsOf({ ...inside, path: [...path, ...inside.path] }, checked));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, checked.schema));
  if (issue.code === 'invalid_key') return [{ path, rule: issue.issues.map(({ message }) => message).join(', '), atKey: true }];
  return [{ path, rule: ruleOf(issue, valueAt(checked.value, path)) }];
}

/** Of a union's forms the value has this one's type, and is at fault further in. */
const isWithin = (issues: readonly Issue[]): boolean => issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');

function unknownKey(path: readonly PropertyKey[], key: string, schema: z.ZodType): Fault {
  const secret = secretHint(path, key);
  if (secret !== null) return { path: [...path, key], rule: `unknown key "${key}"; ${secret}`, atKey: true };
  const guess = nearest(key, knownKeys(path, schema));
  const hint = guess === undefined ? '' : `; did you mean "${guess}"?`;
  return { path: [...path, key], rule: `unknown key "${key}"${hint}`, atKey: true };
}

/** Whoever wants to write a key down is told where it goes. */
function secretHint([part, name]: readonly PropertyKey[], key: string): string | null {
  if ((part !== 'providers' && part !== 'models') || !/^(?:api[-_]?)?(?:key|token|secret)$|^apiKey$/i.test(key)) return null;
  const account = part === 'providers' ? String(name) : 'NAME';
  return `keys are never written into a spec: put the key into an environment variable and name that in providers.${account}.apiKeyEnv`;
}

function ruleOf(issue: Issue, value: unknown): string {
  const options = optionsOf(issue);
  if (value === undefined) return `is missing${options ? `: one of ${options.join(', ')}` : ''}`;
  if (options && typeof value === 'string') return `no "${value}" here; ${knownHint(value, options)}`;
  if (issue.code === 'invalid_union') return issue.errors.flat().map(plainMessage).join(', or ');
  const unquoted = issue.code === 'invalid_type' && issue.expected === 'string' && ['number', 'boolean'].includes(typeof value);
  return `${plainMessage(issue)}${gotOf(issue, value)}${unquoted ? ': put it in quotes' : ''}`;
}

/** Of a number that is out of its range, or no whole one: of another type the message says what came. */
function gotOf(issue: Issue, value: unknown): string {
  const isOfRange = issue.code === 'too_small' || issue.code === 'too_big' || (issue.code === 'invalid_type' && issue.expected === 'int');
  return isOfRange && typeof value === 'number' && !issue.message.includes(', got ') ? `, got ${value}` : '';
}

/** The valid values of a closed list. */
function optionsOf(issue: Issue): readonly string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' && 'options' in issue ? issue.options?.map(String) : undefined;
}

const plainMessage = ({ message }: Issue): string => message.replace(/^Invalid input: /, '').replace(/^Too (?:small|big): /, '');

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown> | undefined | null)?.[step], value);

/** Keys that the schema knows at a path; records and unions are looked through. */
function knownKeys(path: readonly PropertyKey[], schema: z.ZodType): string[] {
  let schemas: unknown[] = [schema];
  for (const step of path) schemas = schemas.flatMap(inner).flatMap((outer) => below(outer, String(step)));
  return [...new Set(schemas.flatMap(inner).flatMap((object) => Object.keys(definition(object).shape ?? {})))];
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly innerType?: unknown;
  readonly in?: unknown;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly options?: readonly unknown[];
}
const definition = (schema: unknown): Definition => (schema as { _zod: { def: Definition } })._zod.def;

/** Unwraps defaults, optionals, pipes and unions down to objects, arrays, records and scalars. */
function inner(schema: unknown): unknown[] {
  const { innerType, in: piped, options } = definition(schema);
  if (innerType !== undefined) return inner(innerType);
  if (piped !== undefined) return inner(piped);
  return options ? options.flatMap(inner) : [schema];
}

function below(schema: unknown, step: string): unknown[] {
  const { shape, element, valueType } = definition(schema);
  const next = shape?.[step] ?? element ?? valueType;
  return next === undefined ? [] : [next];
}
