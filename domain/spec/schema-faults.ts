/** Words the faults that the schema finds: the rule, what it got and, for an unknown name, the nearest one. */
import type { z } from 'zod';
import { boundWords } from './bound-words.ts';
import { knownHint, nearest } from '../nearest.ts';
import type { Fault } from './faults.ts';

type Issue = z.core.$ZodIssue;

/** The checked value and its schema. */
interface Checked {
  readonly value: unknown;
  readonly schema: z.ZodType;
  /** The number at a path as it is written, which may have more digits than the value. */
  readonly written?: (path: readonly PropertyKey[]) => string | undefined;
}

export const schemaFaults = (issues: readonly Issue[], checked: Checked): Fault[] =>
  issues.flatMap((issue) => faultsOf(issue, checked));

function faultsOf(issue: Issue, checked: Checked): Fault[] {
  const { path } = issue;
  const within = issue.code === 'invalid_union' ? issue.errors.find(isWithin) : undefined;
  if (within) return within.flatMap((inside) => faultsOf({ ...inside, path: [...path, ...inside.path] }, checked));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, checked.schema));
  if (issue.code === 'invalid_key')
    return [{ path, rule: issue.issues.map(({ message }) => message).join(', '), atKey: true }];
  const value = valueAt(checked.value, path);
  return [{ path, rule: inexactRule(issue, checked.written?.(path) ?? value) ?? ruleOf(issue, value) }];
}

/** Of an integer that is too large to be exact; null for another fault. Two such seeds could be one number. */
function inexactRule(issue: Issue, value: unknown): string | null {
  const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number;
  if (issue.code === 'too_big' && issue.maximum === most)
    return `must be an integer of at most ${most} (2^53-1), got ${String(value)}: choose a smaller one`;
  if (issue.code === 'too_small' && issue.minimum === least)
    return `must be an integer of at least ${least} (-2^53+1), got ${String(value)}: choose a larger one`;
  return null;
}

/** True if the value has the type of this union member and breaks a rule further inside. */
const isWithin = (issues: readonly Issue[]): boolean =>
  issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');

function unknownKey(path: readonly PropertyKey[], key: string, schema: z.ZodType): Fault {
  const secret = secretHint(path, key);
  if (secret !== null) return { path: [...path, key], rule: `unknown key "${key}"; ${secret}`, atKey: true };
  const known = knownKeys(path, schema);
  // The keys of all kinds, such as those of studies.
  if (known.includes(key))
    return {
      path: [...path, key],
      rule: `unknown key "${key}" here: other kinds have it, this one does not`,
      atKey: true,
    };
  const guess = nearest(key, known);
  const hint = guess === undefined ? '' : `; did you mean "${guess}"?`;
  return { path: [...path, key], rule: `unknown key "${key}"${hint}`, atKey: true };
}

/** Tells someone who writes an API key into a spec where it belongs; null for other names. */
function secretHint([part, name]: readonly PropertyKey[], key: string): string | null {
  if ((part !== 'providers' && part !== 'models') || !/^(?:api[-_]?)?(?:key|token|secret)$|^apiKey$/i.test(key))
    return null;
  const account = part === 'providers' ? String(name) : 'NAME';
  return (
    'keys are never written into a spec: put the key into an environment variable and name that in ' +
    `providers.${account}.apiKeyEnv`
  );
}

function ruleOf(issue: Issue, value: unknown): string {
  const options = optionsOf(issue);
  if (value === undefined) return `is missing${options ? `; must be one of ${options.join(', ')}` : ''}`;
  if (options && typeof value === 'string') return `unknown value "${value}"; ${knownHint(value, options)}`;
  if (issue.code === 'invalid_union') return issue.errors.flat().map(plainMessage).join(', or ');
  const unquoted =
    issue.code === 'invalid_type' && issue.expected === 'string' && ['number', 'boolean'].includes(typeof value);
  const got = gotOf(issue, value);
  const message = got === '' ? plainMessage(issue) : plainMessage(issue).replace(/, got a number$/, '');
  return `${message}${got}${unquoted ? ': put it in quotes' : ''}`;
}

/** The value, where the message does not have it. Texts of accounts are not repeated: one may be a key. */
function gotOf({ code, message, path }: Issue, value: unknown): string {
  if (message.includes(', got ')) return '';
  const isOutOfRange = typeof value === 'number' && ['too_small', 'too_big', 'invalid_type'].includes(code);
  if (isOutOfRange && Number.isFinite(value)) return `, got ${value}`;
  const isMisshapen = typeof value === 'string' && code === 'invalid_format' && path[0] !== 'providers';
  return isMisshapen ? `, got ${JSON.stringify(value)}` : '';
}

/** The valid values of a closed list. */
function optionsOf(issue: Issue): readonly string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' && 'options' in issue ? issue.options?.map(String) : undefined;
}

/** Zod's message in the words of a spec: `expected a list, got a map of keys`, `must be at least 1`. */
const plainMessage = ({ message }: Issue): string =>
  boundWords(message)
    .replace(/^Invalid input: /, '')
    .replace(
      /^expected (\w+), received (\w+)$/,
      (_, wanted: string, got: string) => `expected ${typeName(wanted)}, got ${typeName(got)}`,
    );

const typeName = (type: string): string => typeNames[type] ?? type;
const typeNames: Readonly<Record<string, string>> = {
  object: 'a map of keys',
  record: 'a map of keys',
  array: 'a list',
  tuple: 'a list',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown> | undefined | null)?.[step], value);

/** Keys that the schema knows at a path, also inside records and unions. */
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
