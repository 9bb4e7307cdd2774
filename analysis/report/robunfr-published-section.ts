/** The paper's tables, with the report's own lines among theirs. */
import { dataTable } from './data-table.ts';
import { type Html, html } from './html.ts';
import { publishedNote, publishedTables } from './robunfr/published-tables.ts';
import type { RobunfrReport } from './robunfr-data.ts';

export const publishedNfr = (report: RobunfrReport): Html => html`<section><h3>Beside the paper</h3>
<p class="note">${publishedNote}</p>
${publishedTables(report).map(dataTable)}</section>`;
