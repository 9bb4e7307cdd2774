/** Which other studies tell models apart in a metric, for a page whose own study of it does not. */
import { counted } from '../../domain/counted.ts';
import { quotedStudy, wordList } from '../../domain/card/sentence.ts';
import { numberOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Cards } from './card-source.ts';
import { isBehind, type MainMetric } from './main-entries.ts';
import { promptsOf } from './study-answers.ts';

/** Longer lists end with a count. */
const mostNamed = 3;

/**
 * `study "plain" (164 tasks)`; null if none does. Each study's differences hold at its own level, so of several it also
 * says how many there are to look at: `1 of 3 other studies: "plain" (164 tasks)`.
 */
export function apartElsewhere(main: MainMetric, answers: Cards['answers']): string | null {
  const found = [...main.elsewhere].filter(([, rows]) => rows.some(isBehind));
  if (found.length === 0) return null;
  const named = found
    .slice(0, mostNamed)
    .map(([study, rows]) => studyText(study, rows.filter(isBehind), main, answers));
  const more = found.length - named.length;
  const names = wordList(more > 0 ? [...named, `${more} more`] : named);
  const all = main.elsewhere.size;
  return all === 1 ? `study ${names}` : `${found.length} of ${all} other studies: ${names}`;
}

/** `"plain" (164 tasks)`, with the prompts where they are others than on the page. */
function studyText(study: string, rows: readonly Row[], { prompts }: MainMetric, answers: Cards['answers']): string {
  const [first] = rows as [Row];
  const asked = promptsOf(first, answers);
  const tasks = counted(Math.max(...rows.map((row) => numberOf(row, 'n_tasks'))), 'task');
  return `${quotedStudy(study)} (${[tasks, ...(asked === null || asked === prompts ? [] : [asked])].join(', ')})`;
}
