/** Checks that a maximal description neither contains the solution nor says less than the benchmark. */
import { dedent } from '../../domain/extraction/statements.ts';
import type { Task } from '../../schemas/task.ts';
import { bodyOfFunction, findFunction } from '../../domain/extraction/cpp-text.ts';
import { wordCount } from './units.ts';

/** This many consecutive lines of the reference, verbatim, count as the solution. */
const leakedLines = 3;
/** Characters without white space; shorter code, such as `return n`, may occur in any explanation. */
const tellingLength = 12;

/** Why a description is rejected, in a few words; null if it is valid. */
export function descriptionFault(
  description: string,
  original: string,
  task: Pick<Task, 'entryPoint' | 'reference'> & Partial<Task>,
): string | null {
  if (description.trim() === '') return 'it is empty';
  const isCpp = task.language === 'cpp';
  if (new RegExp(`^[ \\t>]*(?:async )?def\\s+${task.entryPoint}\\b`, 'm').test(description))
    return `it defines ${task.entryPoint} itself`;
  if (isCpp && findFunction(description, task.entryPoint) !== null) return `it defines ${task.entryPoint} itself`;
  const leaked = longestLeak(
    description,
    isCpp ? cppLines(task.reference, task.entryPoint) : codeLines(task.reference),
  );
  if (leaked !== null) return `${leaked} of the solution verbatim`;
  const [words, atLeast] = [wordCount(description), wordCount(original)];
  return words < atLeast ? `it says less than the original: ${words} of ${atLeast} words` : null;
}

/** The leaked part, `3 lines` or `the whole body`; null if there is none. */
function longestLeak(description: string, lines: readonly string[]): string | null {
  const said = squeezed(description);
  const whole = lines.map(squeezed).join('');
  if (whole.length >= tellingLength && said.includes(whole)) return 'the whole body';
  for (let from = 0; from + leakedLines <= lines.length; from += 1) {
    const run = lines
      .slice(from, from + leakedLines)
      .map(squeezed)
      .join('');
    if (run.length >= tellingLength && said.includes(run)) return `${leakedLines} lines`;
  }
  return null;
}

const squeezed = (text: string): string => text.replaceAll(/[\s`]+/g, '');

/** The statements of all functions, without docstrings, comments, imports and definitions. */
export function codeLines(reference: string): string[] {
  const bare = dedent(reference).replaceAll(/^[ \t]*[rR]?("""|''')[\s\S]*?\1[ \t]*$/gm, '');
  return bare
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !/^(?:#|@|import\b|from\b|(?:async )?def\b)/.test(line));
}

/** The lines of a C++ function's body; of the whole reference if the function is not found. */
const cppLines = (reference: string, entryPoint: string): string[] =>
  cppStatements(bodyOfFunction(reference, entryPoint) ?? reference);

/** The lines of C++ code, without comments, includes and lines that hold only brackets. */
export const cppStatements = (body: string): string[] =>
  body
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !/^#\s*include\b/.test(line));
