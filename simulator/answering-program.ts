/**
 * A program that passes MXEVAL's test of a task in a language in which no solution is known to pass: it looks the arguments up among the test's and
 * gives what the test wants. For simulated models only, which have to be able to be right in every language.
 */
import type { ProgramLanguage } from '../schemas/program.ts';

/** A language's way to ask whether the arguments given are those of a case, and to answer. */
interface Lookup {
  open(name: string): string;
  answer(args: readonly string[], value: string): string;
  readonly close: string;
}

const lookups: Partial<Record<ProgramLanguage, Lookup>> = {
  javascript: {
    open: (name) => `function ${name}(...given) {\n  const { isEqual } = require('lodash');\n`,
    answer: (args, value) => `  if (isEqual(given, [${args.join(', ')}])) return ${value};\n`,
    close: '}\n',
  },
  php: {
    open: (name) => `function ${name}(...$given) {\n`,
    answer: (args, value) => `    if ($given === [${args.join(', ')}]) { return ${value}; }\n`,
    close: '}\n',
  },
  ruby: {
    open: (name) => `def ${name}(*given)\n`,
    answer: (args, value) => `  return ${value} if given == [${args.join(', ')}]\n`,
    close: 'end\n',
  },
  perl: {
    open: (name) => `use Data::Compare;\nsub ${name} {\n  my @given = @_;\n`,
    answer: (args, value) => `  return ${value} if Compare(\\@given, [${args.join(', ')}]);\n`,
    close: '}\n',
  },
};

/** Null for Python and C++, and where the test is not made of `arg..`, `x.. = f(arg..)` and `v..`. */
export function answeringProgram(language: ProgramLanguage, entryPoint: string, test: string): string | null {
  const lookup = lookups[language];
  if (lookup === undefined) return null;
  const values = assignments(test);
  const cases = [...test.matchAll(new RegExp(String.raw`\bx(\d+) = ${entryPoint}\(([^)\n]*)\)`, 'g'))].map(([, number = '', list = '']) => {
    const names = list.split(',').map((name) => name.trim().replace('$', ''));
    return { args: names.filter((name) => name !== '').map((name) => values.get(name)), value: values.get(`v${number}`) };
  });
  if (cases.length === 0 || cases.some(({ args, value }) => value === undefined || args.includes(undefined))) return null;
  const answers = cases.map(({ args, value }) => lookup.answer(args as string[], value ?? ''));
  return `${lookup.open(entryPoint)}${answers.join('')}${lookup.close}`;
}

/** The texts of the test's own values, by name. */
const assignments = (test: string): Map<string, string> =>
  new Map([...test.matchAll(/^(?:var |my )?\$?((?:arg|v)\d+) = (.+?);?$/gm)].map(([, name = '', value = '']) => [name, value]));
