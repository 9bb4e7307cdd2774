/**
 * RobuNFR, as a derivative's code does it: the first Python block, else the whole reply; test statements are cut off; a body alone goes
 * under the signature; where the function has another name, the last `def` is taken for it. The derivative also decodes escapes, which
 * damages backslashes: that is not followed.
 */
import type { ExtractedCode } from '../extract-code.ts';
import { implementsName, isForeign } from '../extract-code.ts';
import { tidied } from '../solution.ts';
import { boundNames, statementsOf } from '../statements.ts';
import { summaryText } from '../summary-text.ts';
import { completed } from './completed.ts';
import { firstBlock } from './first-fence.ts';
import type { AskedTask, ExtractionRule } from './rule.ts';

export const paperRobunfr: ExtractionRule = { name: 'paper-robunfr', version: 1, code, words: summaryText };

function code(reply: string, task: AskedTask): ExtractedCode {
  const found = firstBlock(reply, ({ tag }) => !isForeign(tag));
  const program = completed({ ...found, text: underItsName(found.text, task.entryPoint) }, task);
  if (task.language !== 'python' || program.code === null) return program;
  const { code: tests, removed } = tidied(program.code, task.entryPoint);
  return tests === '' ? { code: null, how: 'tests_only', removed } : { code: tests, how: program.how, removed };
}

/** The last function, where none has the name that was asked for, renamed wherever it is called. */
function underItsName(text: string, entryPoint: string): string {
  if (implementsName(text, entryPoint)) return text;
  const last = statementsOf(text).findLast(({ head }) => /^(?:async\s+)?def\s/.test(head));
  const [name] = last === undefined ? [] : boundNames(last);
  return name === undefined ? text : text.replaceAll(new RegExp(String.raw`(?<![\w.])${name}\b`, 'g'), () => entryPoint);
}
