/**
 * A program that passes MXEVAL's test of a task by looking up the test's arguments and returning the expected values.
 * For languages without a solution that passes: simulated models must be able to be right in every language.
 */
import { languages } from '../domain/languages/index.ts';
import type { ProgramLanguage } from '../schemas/program.ts';

/** Null for languages without such a program, and for tests not made of `arg..`, `x.. = f(arg..)` and `v..`. */
export function answeringProgram(language: ProgramLanguage, entryPoint: string, test: string): string | null {
  const { lookup } = languages[language].simulated;
  if (lookup === null) return null;
  const values = assignments(test);
  const cases = [...test.matchAll(new RegExp(String.raw`\bx(\d+) = ${entryPoint}\(([^)\n]*)\)`, 'g'))].map(
    ([, number = '', list = '']) => {
      const names = list.split(',').map((name) => name.trim().replace('$', ''));
      return {
        args: names.filter((name) => name !== '').map((name) => values.get(name)),
        value: values.get(`v${number}`),
      };
    },
  );
  if (cases.length === 0 || cases.some(({ args, value }) => value === undefined || args.includes(undefined)))
    return null;
  const answers = cases.map(({ args, value }) => lookup.answer(args as string[], value ?? ''));
  return `${lookup.open(entryPoint)}${answers.join('')}${lookup.close}`;
}

/** Source text of the values assigned in the test, by name. */
const assignments = (test: string): Map<string, string> =>
  new Map(
    [...test.matchAll(/^(?:var |my )?\$?((?:arg|v)\d+) = (.+?);?$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
