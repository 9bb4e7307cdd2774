import { acrossRow } from '../across/across-row.ts';
import type { Report } from './report.ts';

/** The report's data as one JSON document, ending in a line break. */
export async function renderJson({ studies, cards, across, ...runs }: Report): Promise<string> {
  const { cards: rows, card_agreement, sentences, repeated = [] } = cards;
  const cardRows = { cards: rows, card_agreement, sentences, repeatedTasks: repeated };
  const documents = await Promise.all(studies.map((study) => study.document()));
  const beside = across === null ? {} : { across: { ...across, models: across.models.map(acrossRow) } };
  return `${JSON.stringify(Object.assign({ ...runs, ...beside, ...cardRows }, ...documents), null, 2)}\n`;
}
