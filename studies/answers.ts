/** Table `answers`: every study's samples alike, by what each kind says of its cells. */
import { answersSql, factsSql } from '../analysis/answers/answers-sql.ts';
import { recordedAgreementView } from '../analysis/answers/recorded-agreement.ts';
import { quoteText } from '../analysis/views.ts';
import { currentParts } from '../analysis/run-folder.ts';
import type { View } from '../analysis/view.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { TableName } from '../schemas/tables.ts';
import { answersTable } from '../schemas/tables/answers.ts';
import { cellKeyNames } from '../schemas/tables/keys.ts';
import { studyOf } from './index.ts';

const answersView: View = {
  table: answersTable,
  facts: (manifests, columns) => (manifests.some(hasCallsApart) ? null : factsSql(columns)),
  sql: (manifests, columns, facts) => {
    const studies = manifests.flatMap(({ runId, spec }) => spec.studies.map((study) => ({ runId, study })));
    const kinds = [...Map.groupBy(studies, ({ study }) => study.kind).values()];
    return answersSql(kindsSql(studies), kinds.map(cellsSql).join(' UNION ALL '), columns, facts);
  },
};

/** Whether a page has calls but no samples that could say whether other pages share these calls. */
function hasCallsApart(manifest: Manifest): boolean {
  const sampled = pagesWith(manifest, 'samples');
  return !pagesWith(manifest, 'calls').isSubsetOf(sampled);
}

/** The pages with rows of this table. */
const pagesWith = (manifest: Manifest, table: TableName): Set<string> =>
  new Set(
    currentParts(manifest, table).flatMap(({ page, rows, pages = { [page]: rows } }) =>
      Object.entries(pages).flatMap(([name, count]) => (count > 0 ? [name] : [])),
    ),
  );

/** Tables that are not stored. */
export const studyViews: readonly View[] = [answersView, recordedAgreementView];

interface OfRun {
  readonly runId: Manifest['runId'];
  readonly study: SpecStudy;
}

const kindsSql = (studies: readonly OfRun[]): string =>
  `SELECT * FROM (VALUES ${studies
    .map(({ runId, study: { name, kind } }) => `(${[runId, name, kind].map(quoteText).join(', ')})`)
    .join(', ')}) AS named (run, study, kind)`;

/** The cells of all studies of one kind. */
function cellsSql(studies: readonly OfRun[]): string {
  const [{ study }] = studies as readonly [OfRun];
  const { cellTables, answers = {} } = studyOf(study);
  const { from = cellTables[0] ?? '', detail = `'original'`, phrasing = `'original'` } = answers;
  const { counts = 'true', step = 'NULL' } = answers;
  const own = studies.map(({ runId, study: { name } }) => `(${quoteText(runId)}, ${quoteText(name)})`).join(', ');
  return `SELECT ${cellKeyNames.join(', ')}, ${detail} AS detail, ${phrasing} AS phrasing, ${counts} AS counts,
    ${step} AS answer_step FROM ${from} WHERE (run, study) IN (${own})`;
}
