/** How much of a run is sealed: compares its planned cells with the rows of its pages, as the manifest counts them. */
import type { RunCoverage } from '../analysis/report/report.ts';
import { slug } from '../domain/ids.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { studyOf } from './index.ts';

/** Of each run, in this order. */
export const runCoverage = ({ manifests }: { readonly manifests: readonly Manifest[] }): RunCoverage[] =>
  manifests.map((manifest) => {
    const planned = manifest.plan.reduce((sum, revision) => sum + revision.cells, 0);
    const sealed = sealedCells(manifest);
    return { run: manifest.runId, planned, sealed, missing: planned - sealed };
  });

/** A page has one row for each of its cells in its study's `cellTables`; of a page and table the newest part counts. */
function sealedCells({ spec, parts }: Manifest): number {
  const cellTables = new Map(
    spec.studies.flatMap((study) =>
      // The program names pages by the slug; who writes a run by hand, by the name.
      [slug(study.name), study.name].map((name) => [name, new Set<string>(studyOf(study).cellTables)] as const),
    ),
  );
  const newest = new Map<string, { readonly revision: number; readonly rows: number }>();
  for (const { table, page: name, rows: all, revision, pages = { [name]: all } } of parts) {
    if (!cellTables.get(name.split('/', 1)[0] ?? '')?.has(table) || !name.includes('/')) continue;
    for (const [page, rows] of Object.entries(pages)) {
      const known = newest.get(`${table} ${page}`);
      if (known === undefined || known.revision < revision) newest.set(`${table} ${page}`, { revision, rows });
    }
  }
  return [...newest.values()].reduce((sum, { rows }) => sum + rows, 0);
}
