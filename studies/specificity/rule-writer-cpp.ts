/**
 * The rule-based description of a C++ task: parameters and result by type, and the reference's statements paraphrased.
 */
import { bodyOfFunction, findFunction } from '../../domain/extraction/cpp-text.ts';
import type { Task } from '../../schemas/task.ts';
import { cppStatements } from './leak.ts';

type DescribedTask = Pick<Task, 'entryPoint' | 'reference' | 'prompt'>;

const mostSteps = 16;

export function writtenByRulesCpp(original: string, task: DescribedTask): string {
  const { parameters, result } = signatureOf(task);
  const names = parameters.map(({ name }) => `\`${name}\``).join(', ');
  const count = parameters.length === 1 ? 'one argument' : `${parameters.length} arguments, in this order`;
  const written = parameters.filter(({ type }) => /&/.test(type) && !/\bconst\b/.test(type));
  const paragraphs = [
    original,
    parameters.length === 0
      ? `The function is called ${task.entryPoint} and takes no arguments.`
      : `The function is called ${task.entryPoint}. It takes ${count}: ${names}.`,
    ['Arguments:', ...parameters.map(({ name, type }) => `- \`${name}\` is ${kindOf(type)}.`)].join('\n'),
    resultText(
      result,
      written.map(({ name }) => name),
    ),
    ['Steps of a solution that works:', ...stepsOf(task).map((step, index) => `${index + 1}. ${step}`)].join('\n'),
    'Mind the edge cases. A single value and a great many values are given, and must not fail. No place before ' +
      'the first or behind the last value may be looked at.',
    'Do not read any input and do not print. Do not change arguments that are not results. Use nothing but the ' +
      'standard library.',
  ];
  return paragraphs.filter((text) => text !== '' && text !== 'Arguments:').join('\n\n');
}

interface Parameter {
  readonly name: string;
  readonly type: string;
}

function signatureOf({ entryPoint, prompt }: DescribedTask): {
  readonly parameters: readonly Parameter[];
  readonly result: string;
} {
  const line = prompt.trimEnd().split('\n').at(-1) ?? '';
  const at = line.search(new RegExp(String.raw`\b${entryPoint}\s*\(`));
  const list = line.slice(line.indexOf('(', at) + 1, line.lastIndexOf(')'));
  const parameters = list.split(/,(?![^<]*>)/).flatMap((part) => {
    const [, type = '', name = ''] = /^(.*?)(\w+)\s*(?:\[\s*\])?$/s.exec(part.trim()) ?? [];
    return name === '' ? [] : [{ name, type: type.trim() }];
  });
  return { parameters, result: line.slice(0, at).trim() };
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/complex/, 'complex numbers'],
  [/double|float/, 'floating point numbers'],
  [/string/, 'strings'],
  [/char/, 'characters'],
  [/bool/, 'truth values'],
  [/int|long|size_t|short/, 'integers'],
];

function kindOf(type: string): string {
  const inner = kinds.find(([pattern]) => pattern.test(type))?.[1] ?? 'values of the type that the signature names';
  const isResult = /&/.test(type) && !/\bconst\b/.test(type);
  const text = /vector|array|\*/.test(type)
    ? `a sequence of ${inner}`
    : (single[inner] ?? 'a value of the type that the signature names');
  return isResult ? `${text}, which is changed in place` : text;
}

const single: Readonly<Record<string, string>> = {
  'complex numbers': 'a complex number',
  'floating point numbers': 'a floating point number',
  strings: 'a string',
  characters: 'a character',
  'truth values': 'a truth value',
  integers: 'an integer',
};

function resultText(result: string, written: readonly string[]): string {
  if (result !== 'void') return `The function returns ${kindOf(result)}. It returns on every path.`;
  if (written.length === 0) return 'The function returns nothing.';
  return (
    'The function returns nothing: its result is what stands in ' +
    `${written.map((name) => `\`${name}\``).join(' and ')} afterwards.`
  );
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/^#\s*pragma\s+omp\b/, 'Let several threads share the work of the next loop, so that none disturbs the others.'],
  [/^for\b/, 'Go through the places one after another.'],
  [/^while\b/, 'Repeat the following for as long as its condition holds.'],
  [/^(?:\}\s*)?else\s+if\b/, 'There is a further case.'],
  [/^if\b/, 'Tell the cases apart, and treat the one at hand on its own.'],
  [/^(?:\}\s*)?else\b/, 'In every other case, go on as follows.'],
  [/^return\b/, 'Give back the value that was found.'],
  [/\bsort\s*\(/, 'Bring the values into order.'],
  [/push_back|emplace|\bpush\s*\(/, 'Collect the value.'],
  [/[-+*/%|&^]=|\+\+|--/, 'Bring what was found so far up to date.'],
  [/[^=!<>]=[^=]/, 'Keep a value for later.'],
];

function stepsOf({ entryPoint, reference }: DescribedTask): string[] {
  const body = findFunction(reference, entryPoint) === null ? reference : (bodyOfFunction(reference, entryPoint) ?? '');
  const steps = cppStatements(body).flatMap((line) => patterns.find(([pattern]) => pattern.test(line))?.[1] ?? []);
  return steps.filter((step, index) => step !== steps[index - 1]).slice(0, mostSteps);
}
