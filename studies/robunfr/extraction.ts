/**
 * RobuNFR's extraction, as in the code of a derivative: the first Python block, else the whole reply. Test statements
 * are removed; a function body is completed with the signature; if no function has the requested name, the last `def`
 * is renamed to it. The derivative also decodes escapes, which damages backslashes; this rule does not.
 */
import type { ExtractedCode } from '../../domain/extraction/extract-code.ts';
import { implementsName, isForeign } from '../../domain/extraction/extract-code.ts';
import { tidied } from '../../domain/extraction/solution.ts';
import { boundNames, statementsOf } from '../../domain/extraction/statements.ts';
import { summaryText } from '../../domain/extraction/summary-text.ts';
import { completed } from '../../domain/extraction/rules/completed.ts';
import { firstBlock } from '../../domain/extraction/rules/first-fence.ts';
import type { AskedTask, ExtractionRule } from '../../domain/extraction/rules/rule.ts';

export const paperRobunfr: ExtractionRule = { name: 'paper-robunfr', version: 1, code, words: summaryText };

function code(reply: string, task: AskedTask): ExtractedCode {
  const found = firstBlock(reply, ({ tag }) => !isForeign(tag));
  const program = completed({ ...found, text: underItsName(found.text, task.entryPoint) }, task);
  if (task.language !== 'python' || program.code === null) return program;
  const { code: tests, removed } = tidied(program.code, task.entryPoint);
  return tests === '' ? { code: null, how: 'tests_only', removed } : { code: tests, how: program.how, removed };
}

/** If no function has the requested name, renames the last one, and its calls. */
function underItsName(text: string, entryPoint: string): string {
  if (implementsName(text, entryPoint)) return text;
  const last = statementsOf(text).findLast(({ head }) => /^(?:async\s+)?def\s/.test(head));
  const [name] = last === undefined ? [] : boundNames(last);
  return name === undefined
    ? text
    : text.replaceAll(new RegExp(String.raw`(?<![\w.])${name}\b`, 'g'), () => entryPoint);
}
