/** Computes the value of an expression of constants, as Python does. */
import type { Value } from '../../schemas/task.ts';
import { equalityKey } from '../values/equality.ts';
import { floatText, isList, tagged } from '../values/value.ts';
import { arithmetic, negated } from './arithmetic.ts';
import { type Expression, parseExpression } from './expression.ts';
import { integerOf, numberValue } from './numbers.ts';

/** An expression whose value only Python can compute. */
export class NotConstant extends Error {
  override readonly name = 'NotConstant';
}

/** Names that stand for a value, in addition to None, True and False. */
export type Names = Readonly<Record<string, Value>>;

/** The value of `text`, a Python literal. Throws `PythonSyntaxError` and `NotConstant`. */
export const parsePythonLiteral = (text: string, names: Names = {}): Value => constantOf(parseExpression(text), names);

/**
 * Throws `NotConstant` for unknown names, for calls other than those of built-in types, and for arithmetic whose last
 * digit could differ.
 */
export function constantOf(expression: Expression, names: Names = {}): Value {
  const values = (items: readonly Expression[]): Value[] => items.map((item) => constantOf(item, names));
  switch (expression.kind) {
    case 'number':
      return numberValue(expression.text);
    case 'string':
      return expression.text;
    case 'bytes':
      return { b: Buffer.from(expression.text, 'latin1').toString('hex') };
    case 'list':
      return values(expression.items);
    case 'tuple':
      return { t: values(expression.items) };
    case 'set':
      return { s: distinct(values(expression.items)) };
    case 'dict':
      return dictOf(
        expression.entries.map(([key, item]) => [constantOf(key, names), constantOf(item, names)] as const),
      );
    case 'name':
      return named(expression.name, names);
    case 'unary':
      return unary(expression.operator, constantOf(expression.operand, names));
    case 'binary':
      return known(
        arithmetic(expression.operator, constantOf(expression.left, names), constantOf(expression.right, names)),
      );
    case 'call':
      return converted(expression, values(expression.args), names);
    default:
      throw new NotConstant(`a ${expression.kind} is not a constant`);
  }
}

const constants: Names = { None: null, True: true, False: false };

function named(name: string, names: Names): Value {
  for (const known of [constants, names]) if (Object.hasOwn(known, name)) return known[name] as Value;
  throw new NotConstant(`${name} is not a constant`);
}

function known(value: Value | undefined): Value {
  if (value === undefined) throw new NotConstant('this arithmetic is left to Python');
  return value;
}

function unary(operator: '-' | '+' | 'not', value: Value): Value {
  if (operator === 'not') throw new NotConstant('truth is left to Python');
  return known(operator === '-' ? negated(value) : arithmetic('+', 0, value));
}

/** Of equal members only the first is kept. */
function distinct(items: readonly Value[]): Value[] {
  const kept = new Map<string, Value>();
  for (const item of items) {
    const key = keyOf(item);
    if (!kept.has(key)) kept.set(key, item);
  }
  return [...kept.values()];
}

/** Of equal keys the first is kept in its place, with the value of the last. */
function dictOf(entries: readonly (readonly [Value, Value])[]): Value {
  const kept = new Map<string, readonly [Value, Value]>();
  for (const [key, item] of entries) {
    const text = keyOf(key);
    kept.set(text, [kept.get(text)?.[0] ?? key, item]);
  }
  return { d: [...kept.values()] };
}

function keyOf(value: Value): string {
  const key = equalityKey(value);
  if (key === null) throw new NotConstant('a member that cannot be compared');
  return key;
}

/** A call of a built-in type with constants, for the types that test data uses. */
function converted(
  { callee, keywords }: Extract<Expression, { kind: 'call' }>,
  args: readonly Value[],
  names: Names,
): Value {
  const type = callee.kind === 'name' && keywords.length === 0 && !Object.hasOwn(names, callee.name) ? callee.name : '';
  const [first, ...more] = args;
  if (more.length > 0) throw new NotConstant('a call with several arguments');
  if (type === 'set') return { s: distinct(members(first)) };
  if (type === 'frozenset') return { fs: distinct(members(first)) };
  if (type === 'tuple') return { t: members(first) };
  if (type === 'list') return members(first);
  const whole = first === undefined ? null : integerOf(first);
  if (type === 'str' && whole !== null) return whole.toString();
  if (type === 'float' && whole !== null) return { f: floatText(Number(whole)) };
  throw new NotConstant(`a call of ${type || 'something else'}`);
}

/** Members of a constant sequence. Not of sets, whose order only Python knows. */
function members(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  if (isList(value)) return value;
  const read = tagged(value);
  if (read.kind === 'tuple') return read.items;
  if (read.kind === 'str') return [...read.text];
  throw new NotConstant(`the members of a ${read.kind}`);
}
