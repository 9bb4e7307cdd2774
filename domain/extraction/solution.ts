/** Turns the code of a reply into the module to run: removes its own tests and examples, adds helpers that it needs. */
import {
  boundNames,
  dedent,
  isBlank,
  isNeutral,
  neutral,
  type Statement,
  scanLine,
  statementsOf,
} from './statements.ts';

/** Functions that a solution's demonstration calls. */
const demonstrations = new Set(['print', 'pprint', 'main', 'check', 'unittest.main', 'doctest.testmod']);

/** The module without its demonstration, and how many top-level statements were removed. */
export interface Tidied {
  readonly code: string;
  readonly removed: number;
}

/**
 * Removes, at top level only: `if __name__ == "__main__"` blocks, asserts, bare calls of print, main, check, test
 * functions and the entry point, blocks that print its results, prompts for user input, and a string that was cut off.
 * They are not the solution, and a failure in them would hide it.
 */
export function tidied(code: string, entryPoint: string): Tidied {
  const statements = statementsOf(withoutRepeatedHeaders(dedent(code)));
  const kept = statements.filter((statement) => !isDemonstration(statement, entryPoint) && !isCutOffText(statement));
  const text = kept.map((statement) => statement.text).join('\n');
  return {
    code: isBlank(text) ? '' : `${text.replace(/^\n+/, '').trimEnd()}\n`,
    removed: statements.length - kept.length,
  };
}

function isDemonstration({ head, text }: Statement, entryPoint: string): boolean {
  if (/^if\s*\(?\s*(?:__name__|(['"])__main__\1)\s*==/.test(head) || /^assert\b/.test(head)) return true;
  if (/^(?:for|while|if|try|with)\b/.test(head)) return text.includes('print(') && text.includes(`${entryPoint}(`);
  if (/^[\w ,]+=.*\binput\(/.test(head)) return true;
  const called = /^([\w.]+)\s*\(/.exec(head)?.[1];
  return called !== undefined && (called === entryPoint || demonstrations.has(called) || /^test_?\w*$/i.test(called));
}

/** A separate string whose end is missing, because the reply was cut off in it. */
const isCutOffText = ({ head, text }: Statement): boolean =>
  /^(?:"""|''')/.test(head) && !isNeutral(text.slice(text.indexOf(head)).split('\n').reduce(scanLine, neutral));

/** Removes a signature that is repeated on the next line, and so has no body the first time. */
function withoutRepeatedHeaders(code: string): string {
  const lines = code.split('\n');
  return lines
    .filter((line, index) => !/^\s*(?:async\s+)?def\s/.test(line) || line.trimEnd() !== nextInked(lines, index))
    .join('\n');
}

function nextInked(lines: readonly string[], index: number): string | undefined {
  let next = index + 1;
  while (next < lines.length && isBlank(lines[next] as string)) next += 1;
  return lines[next]?.trimEnd();
}

/**
 * Puts before the code those definitions and imports of `sources` (in order) that it uses and does not bind itself, and
 * what these need in turn.
 */
export function withHelpers(
  code: string,
  sources: readonly string[],
  entryPoint: string,
): { readonly code: string; readonly joined: boolean } {
  const available = sources
    .flatMap((source) => statementsOf(source))
    .filter((statement) => isHelper(statement, entryPoint));
  if (available.length === 0) return { code, joined: false };
  const byName = new Map(
    available.flatMap((statement) => boundNames(statement).map((name) => [name, statement] as const)),
  );
  const bound = new Set(statementsOf(code).flatMap(boundNames));
  const needed = new Set<Statement>();
  const queue = [code];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const name of usedNames(text)) {
      const helper = byName.get(name);
      if (helper === undefined || bound.has(name) || needed.has(helper)) continue;
      needed.add(helper);
      queue.push(helper.text);
    }
  }
  const helpers = available.filter((statement) => needed.has(statement)).map(({ text }) => text);
  return { code: [...helpers, code].join('\n'), joined: helpers.length > 0 };
}

const usedNames = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_]\w*/g) ?? []);

/** Definitions, imports and constants. A variable set by a call is more likely an example than a helper. */
function isHelper(statement: Statement, entryPoint: string): boolean {
  if (boundNames(statement).includes(entryPoint)) return false;
  return /^(?:(?:async\s+)?def|class|import|from)\s/.test(statement.head) || !statement.text.includes('(');
}
