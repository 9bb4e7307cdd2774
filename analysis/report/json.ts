import type { Report } from './report.ts';

/** The report's data as one JSON document, ending in a line break. */
export function renderJson({ studies, cards, ...runs }: Report): string {
  const { cards: rows, card_agreement, sentences } = cards;
  const cardRows = { cards: rows, card_agreement, sentences };
  const documents = studies.map(({ document }) => document);
  return `${JSON.stringify(Object.assign({ ...runs, ...cardRows }, ...documents), null, 2)}\n`;
}
