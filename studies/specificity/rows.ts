/** The study's own tables: the result of each prompt, and the order between a task's prompts. */
import { hasOmpPragma } from '../../domain/extraction/cpp-text.ts';
import { excludedOutcomes } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import type { CellState, StudyPage } from '../cell-state.ts';
import { describedRange } from '../variants/prompt-parts.ts';
import { codeIn } from './answer-code.ts';
import { orderedPairs } from './poset.ts';
import { positionOf, positionsOf, type SpecificityStudy } from './settings.ts';
import { sentencesOf, wordCount } from './units.ts';

export const specificityRows = (study: SpecificityStudy, page: StudyPage): Partial<Record<TableName, Row[]>> => ({
  prompt_passes: page.cells.map((cell) => passRow(study, page, cell)),
});

function passRow(study: SpecificityStudy, page: StudyPage, cell: CellState): Row {
  const { augmentation, level, draw } = positionOf(study.settings, cell.cell.variant);
  const { passed, reason } = passedOf(cell);
  const words = cell.variant === null ? originalWords(cell.task) : cell.variant.words;
  const pragma = pragmaMissing(study, cell);
  return {
    ...page.key(cell),
    augmentation,
    level,
    draw,
    words,
    passed,
    reason,
    pragma_missing: pragma,
    simulated: page.simulated,
  };
}

/** Whether a program for OpenMP lacks a pragma: such programs are judged as usual and counted. Null for others. */
function pragmaMissing(study: SpecificityStudy, cell: CellState): boolean | null {
  const answer = cell.answer({ step: 'generate', loop: 1, ask: 0, sample: 0 });
  const isForOmp = cell.task.suites.some(({ driver }) => driver?.parallelism === 'omp');
  const code = answer === undefined || !isForOmp ? null : codeIn(study, cell, answer).code;
  return code === null ? null : !hasOmpPragma(code);
}

/** The prompt is excluded (null) only if no suite has a real failure. */
function passedOf(cell: CellState): { passed: boolean | null; reason: string | null } {
  const at = { step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
  if (cell.answer(at) === undefined)
    return { passed: null, reason: `the prompt is missing: ${cell.variant?.reason ?? 'not made'}` };
  const failures = (cell.outcomes(at) ?? [{ suite: '', outcome: 'no_code' as const }]).filter(
    ({ outcome }) => outcome !== 'pass',
  );
  const [first] = failures;
  if (first !== undefined && failures.every(({ outcome }) => excludedOutcomes.has(outcome)))
    return { passed: null, reason: first.outcome };
  return { passed: failures.length === 0, reason: null };
}

const originalWords = ({ prompt, entryPoint }: Task): number => {
  const { start, end } = describedRange(prompt, entryPoint);
  return wordCount(prompt.slice(start, end));
};

/** Rows of table `variant_order` of one task, without the run's columns. */
export function orderRows(
  { settings }: SpecificityStudy,
  { entryPoint }: Task,
  records: readonly VariantRecord[],
): Row[] {
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const texts = new Map(
    records.map(({ variant, prompt }) => {
      if (prompt === null) return [variant, null] as const;
      const { start, end } = describedRange(prompt, entryPoint);
      const text = variant === 'minimal' ? '' : prompt.slice(start, end);
      const sentences = sentencesOf(text).map((span) => flat(text.slice(span.start, span.end)));
      return [variant, { text: flat(text), sentences }] as const;
    }),
  );
  return orderedPairs(positionsOf(settings)).map(([lower, upper]) => {
    const [below, above] = [texts.get(lower.variant), texts.get(upper.variant)];
    const included = below && above ? below.sentences.every((sentence) => above.text.includes(sentence)) : null;
    return { lower: lower.variant, upper: upper.variant, included };
  });
}
