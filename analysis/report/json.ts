import type { Report } from './report.ts';

/** The report's data as one JSON document, ending in a line break. */
export function renderJson({ studies, ...runs }: Report): string {
  const documents = studies.map(({ document }) => document);
  return `${JSON.stringify(Object.assign({ ...runs }, ...documents), null, 2)}\n`;
}
