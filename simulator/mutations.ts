/**
 * Plausible wrong versions of a Python program, made by editing its text. Some mutants pass, so each has to be run
 * before it counts as wrong.
 */
import { seedOf, uniform } from '../domain/random.ts';
import { blankOutLiterals } from './python-text.ts';
import { shuffled } from './shuffled.ts';

/** Replaces the characters from `start` to `end` (exclusive) by `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All edits that make one kind of mistake. `code` is the source with strings and comments blanked out. */
type Slip = (code: string, entryPoint: string) => Edit[];

const mostMutants = 8;

/**
 * Four to eight distinct programs, each with one mistake, in seeded order. Four kinds of mistake fit any function: it
 * returns too early, raises, lacks the definition's colon, or returns nothing.
 */
export function mutantsOf(reference: string, entryPoint: string, seed: number): string[] {
  const code = blankOutLiterals(reference);
  const draw = uniform(seedOf('mutants', seed, entryPoint, reference));
  const subtle = shuffled(subtleSlips, draw).flatMap((slip) => pickOne(slip(code, entryPoint), draw));
  const blunt = bluntSlips.flatMap((slip) => pickOne(slip(code, entryPoint), draw));
  const edits = [...subtle.slice(0, mostMutants - blunt.length), ...blunt];
  const mutants = new Set(edits.map((edit) => reference.slice(0, edit.start) + edit.text + reference.slice(edit.end)));
  for (const stub of stubs(entryPoint)) if (mutants.size < 4) mutants.add(`${reference.trimEnd()}\n\n\n${stub}\n`);
  mutants.delete(reference);
  return shuffled([...mutants], draw);
}

/** Later definitions that hide the real one, for programs whose entry point is not a plain function. */
const stubs = (entryPoint: string): string[] => [
  `def ${entryPoint}(*args):\n    return None`,
  `def ${entryPoint}(*args):\n    return args`,
  `def ${entryPoint}(*args):\n    raise ValueError('unsupported input')`,
  `def ${entryPoint}(*args)\n    return args`,
];

const offByOne: Slip = (code) => replaceAll(code, /(?<![\w.])\d+(?![\w.])/g, (digits) => String(BigInt(digits) + 1n));
const comparison: Slip = (code) =>
  replaceAll(code, /(?<= )(?:<=|>=|==|!=|<|>)(?= )/g, (sign) => swappedComparisons[sign] ?? sign);
const operator: Slip = (code) =>
  replaceAll(code, /(?<=[\w)\]] ?)(?:\/\/|[+*%/&|-])(?= ?[\w(])(?![*/])/g, (sign) => swappedOperators[sign] ?? sign);
const connective: Slip = (code) =>
  replaceAll(code, /\b(?:and|or|True|False|min|max|any|all|sum|set|sorted)\b/g, (word) => swappedWords[word] ?? word);
const negation: Slip = (code) => replaceAll(code, /(?<=\b(?:if|while) )(?=\w)/g, () => 'not ');
const argumentOrder: Slip = (code) =>
  replaceAll(code, /(?<=(?<!def )\b\w+\()\w+, \w+(?=\))/g, (pair) => pair.split(', ').toReversed().join(', '));
const range: Slip = (code) => replaceAll(code, /(?<=\brange\()\w+(?=\))/g, (end) => `1, ${end}`);
const indexing: Slip = (code) => replaceAll(code, /(?<=\w\[)(?:0|-1)(?=\])/g, (index) => (index === '0' ? '-1' : '0'));

const subtleSlips: readonly Slip[] = [
  offByOne,
  comparison,
  operator,
  connective,
  negation,
  argumentOrder,
  range,
  indexing,
];

const swappedComparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
};
const swappedOperators: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '//': '*',
  '/': '//',
  '%': '//',
  '&': '|',
  '|': '&',
};
const swappedWords: Readonly<Record<string, string>> = {
  and: 'or',
  or: 'and',
  True: 'False',
  False: 'True',
  min: 'max',
  max: 'min',
  any: 'all',
  all: 'any',
  sum: 'max',
  set: 'list',
  sorted: 'list',
};

const droppedReturn: Slip = (code) => replaceAll(code, /(?<=^[ \t]+)return (?=\S)/gm, () => '').slice(-1);
const earlyReturn: Slip = (code, entryPoint) => atBodyStart(code, entryPoint, (first) => `return ${first}`);
const exception: Slip = (code, entryPoint) =>
  atBodyStart(code, entryPoint, () => `raise ValueError('unsupported input')`);
const missingColon: Slip = (code, entryPoint) =>
  replaceAll(code, new RegExp(`(?<=^def ${entryPoint}\\([^)]*\\)[^:\\n]*):(?=[ \\t]*$)`, 'gm'), () => '');

const bluntSlips: readonly Slip[] = [droppedReturn, earlyReturn, exception, missingColon];

const replaceAll = (code: string, pattern: RegExp, change: (found: string) => string): Edit[] =>
  [...code.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: change(match[0]),
  }));

/** Inserts a statement at the top of the entry point's body. `statement` gets the first parameter's name, or `None`. */
function atBodyStart(code: string, entryPoint: string, statement: (firstParameter: string) => string): Edit[] {
  const match = new RegExp(`^def ${entryPoint}\\(\\s*(\\w*)[^)]*\\)[^:\\n]*:[ \\t]*\\n\\s*?(?=([ \\t]+)\\S)`, 'm').exec(
    code,
  );
  if (match === null) return [];
  const start = match.index + match[0].length;
  return [{ start, end: start, text: `${match[2]}${statement(match[1] || 'None')}\n` }];
}

const pickOne = (edits: readonly Edit[], draw: () => number): Edit[] => {
  const edit = edits[Math.floor(draw() * edits.length)];
  return edit === undefined ? [] : [edit];
};
