/**
 * A writer without a model: the benchmark's own description, then arguments, result and steps derived from the
 * reference and the tests' inputs. It never gives a value that a test expects and never quotes a statement of the
 * solution. Meant for trials: its language is simpler than a model's.
 */
import { boundNames, statementsOf } from '../../domain/extraction/statements.ts';
import type { Task, Value } from '../../schemas/task.ts';
import { codeLines } from './leak.ts';
import { writtenByRulesCpp } from './rule-writer-cpp.ts';

type DescribedTask = Pick<Task, 'entryPoint' | 'reference' | 'suites'> & Partial<Task>;

/** Maximum number of steps; those of longer solutions are cut. */
const mostSteps = 16;

/** A maximally detailed description, as a docstring's text. The same task gives the same text. */
export function writtenByRules(original: string, task: DescribedTask): string {
  if (task.language === 'cpp') return writtenByRulesCpp(original, { ...task, prompt: task.prompt ?? '' });
  const inputs = inputsOf(task);
  const paragraphs = [
    original,
    calledHow(task, inputs),
    inputs.length === 0 ? '' : ['Arguments:', ...inputs.map(argumentLine)].join('\n'),
    resultText(task),
    ['Steps of a solution that works:', ...stepsOf(task).map((step, index) => `${index + 1}. ${step}`)].join('\n'),
    edgeCases(inputs),
    'Do not read any input and do not print. Do not change the arguments unless the task asks for it. Use nothing ' +
      'but the standard library.',
  ];
  return paragraphs.filter((text) => text !== '').join('\n\n');
}

interface Argument {
  readonly name: string;
  readonly values: readonly Value[];
}

/** The parameters of the reference with the values that the first suite gives them. */
function inputsOf({ entryPoint, reference, suites }: DescribedTask): Argument[] {
  const definition = statementsOf(reference).findLast((statement) => boundNames(statement)[0] === entryPoint);
  const listed = new RegExp(`def\\s+${entryPoint}\\s*\\(([^)]*)\\)`).exec(definition?.text ?? '')?.[1] ?? '';
  const names = listed
    .replaceAll(/\[[^\]]*\]/g, '')
    .split(',')
    .flatMap((part) => /^\s*\*{0,2}([A-Za-z_]\w*)/.exec(part)?.[1] ?? []);
  const calls = suites.find(({ inputs }) => inputs.length > 0)?.inputs ?? [];
  return names.map((name, index) => ({
    name,
    values: calls.flatMap((call) => (index < call.length ? [call[index] as Value] : [])),
  }));
}

function calledHow({ entryPoint }: DescribedTask, inputs: readonly Argument[]): string {
  if (inputs.length === 0) return `The function is called ${entryPoint} and takes no arguments.`;
  const names = inputs.map(({ name }) => `\`${name}\``).join(', ');
  return (
    `The function is called ${entryPoint}. It takes ` +
    `${inputs.length === 1 ? 'one argument' : `${inputs.length} arguments, in this order`}: ${names}.`
  );
}

function argumentLine({ name, values }: Argument): string {
  const kinds = [...new Set(values.map(kindOf))];
  return kinds.length === 0
    ? `- \`${name}\` is used as it is given.`
    : `- \`${name}\` is ${kinds.slice(0, 3).join(' or ')}.`;
}

/** A Python value's type in words. */
function kindOf(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return 'True or False';
  if (typeof value === 'number') return 'an integer';
  if (typeof value === 'string') return 'a string';
  if (Array.isArray(value)) return collection('a list', value);
  if ('t' in value) return collection('a tuple', value.t);
  if ('s' in value || 'fs' in value)
    return 's' in value ? collection('a set', value.s) : collection('a frozen set', value.fs);
  if ('d' in value) return 'a dictionary';
  if ('f' in value) return 'a floating point number';
  if ('i' in value) return 'an integer';
  return 'b' in value ? 'a bytes object' : 'a number';
}

const plurals: Readonly<Record<string, string>> = {
  'an integer': 'integers',
  'a string': 'strings',
  'a floating point number': 'floating point numbers',
  'True or False': 'truth values',
  'a dictionary': 'dictionaries',
};

function collection(word: string, members: readonly Value[]): string {
  const kinds = [...new Set(members.map((member) => kindOf(member)))];
  const [only] = kinds;
  if (only === undefined) return word;
  const plural =
    plurals[only] ?? (only.startsWith('a list') ? 'lists' : only.startsWith('a tuple') ? 'tuples' : 'values');
  return kinds.length === 1 ? `${word} of ${plural}` : `${word} of values of several types`;
}

function resultText({ entryPoint, reference, suites }: DescribedTask): string {
  const expected = suites.flatMap((suite) => suite.expected ?? []);
  const kinds = [...new Set(expected.map(kindOf))].slice(0, 3);
  const annotated = new RegExp(`def\\s+${entryPoint}\\s*\\([^)]*\\)\\s*->\\s*([^:]+):`).exec(reference)?.[1]?.trim();
  if (kinds.length > 0) return `The function returns ${kinds.join(' or ')}. It never returns anything of another type.`;
  if (annotated !== undefined)
    return `The function returns a value of type ${annotated}. It never returns anything of another type.`;
  return 'The function returns its result to the caller. The tests compare what it returns.';
}

function edgeCases(inputs: readonly Argument[]): string {
  const values = inputs.flatMap((argument) => argument.values);
  const has = (test: (value: Value) => boolean): boolean => values.some(test);
  const cases = [
    ...(has((value) => value === '' || (Array.isArray(value) && value.length === 0))
      ? ['Empty arguments are given too, and must not fail.']
      : []),
    ...(has((value) => value === 0) ? ['Zero is among the numbers that are given.'] : []),
    ...(has((value) => typeof value === 'number' && value < 0) ? ['Negative numbers are given too.'] : []),
    ...(has((value) => Array.isArray(value) && value.length === 1) ? ['A list can have a single member.'] : []),
  ];
  return [
    'Mind the edge cases.',
    ...(cases.length === 0 ? ['Arguments of the smallest size and of a great size are given.'] : cases),
  ].join(' ');
}

/** Paraphrases of the reference's statements. */
function stepsOf({ reference }: DescribedTask): string[] {
  const steps = codeLines(reference).flatMap((line) => stepOf(line) ?? []);
  const distinct = steps.filter((step, index) => step !== steps[index - 1]);
  return distinct.slice(0, mostSteps);
}

const patterns: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^for\s+(.+?)\s+in\b/, ([, names]) => `Go through the values one after another, calling each ${quoted(names)}.`],
  [/^while\b/, () => 'Repeat the following for as long as its condition holds.'],
  [/^if\b/, () => 'Tell the cases apart, and treat the one at hand on its own.'],
  [/^elif\b/, () => 'There is a further case.'],
  [/^else\b/, () => 'In every other case, go on as follows.'],
  [/^return\b/, () => 'Give back the value that was found.'],
  [/^raise\b/, () => 'Report an error for what is not allowed.'],
  [/^try\b/, () => 'Try the next step, and be ready for its failure.'],
  [/^(\w+)\.(?:append|add|extend|insert)\b/, ([, name]) => `Collect the value in ${quoted(name)}.`],
  [/^(\w+)\s*(?:\[.*\])?\s*[-+*/%|&^]=/, ([, name]) => `Bring ${quoted(name)} up to date.`],
  [/^([\w, ]+?)\s*(?::[^=]+)?=(?!=)/, ([, names]) => `Keep ${quoted(names)} for later.`],
];

const quoted = (names = ''): string => `\`${names.replaceAll(/[()\s]/g, '').replaceAll(',', '`, `')}\``;

function stepOf(line: string): string | null {
  for (const [pattern, words] of patterns) {
    const match = pattern.exec(line);
    if (match !== null) return words(match);
  }
  return null;
}
