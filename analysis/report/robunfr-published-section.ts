/** The paper's tables, with the report's own lines among theirs. */
import published from '../../data/published/robunfr.json' with { type: 'json' };
import { dataTable } from './data-table.ts';
import { type Html, html } from './html.ts';
import { publishedNote, publishedTables } from './robunfr/published-tables.ts';
import type { RobunfrReport } from './robunfr-data.ts';

export const publishedNfr = (report: RobunfrReport): Html => html`<section><h3>Beside the paper</h3>
<p class="note">${publishedNote} Versions in its table 4: ${versions}.</p>
${publishedTables(report).map(dataTable)}</section>`;

const versions = published.versions
  .map(({ model, old, new: now, same_model }) => `${model}, ${old} to ${now}${same_model ? '' : ' (two different models)'}`)
  .join('; ');
