/** Which data sets of a run may be published, by the licences in the catalogue of public benchmarks. */
import type { CatalogueEntry } from '../../../schemas/catalogue.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

/** A data set that an archive leaves out. */
export interface LeftDataSet {
  /** Its name in the spec. */
  readonly benchmark: string;
  readonly why: string;
  /** Whether the user chose it, not its licence. */
  readonly chosen: boolean;
  /** Only the tests of these suites, which were joined from other files; null: the tasks and all tests. */
  readonly suites: readonly string[] | null;
}

export interface DataSetFacts {
  readonly left: readonly LeftDataSet[];
  /** Benchmarks that are included although no licence of theirs is known. */
  readonly unknown: readonly string[];
}

/** @param which all: leave out every one; unlicensed: those that nobody may pass on; none: those neither */
export function dataSetFacts(
  { spec, benchmarks }: Manifest,
  catalogue: readonly CatalogueEntry[],
  which: 'all' | 'unlicensed' | 'none',
): DataSetFacts {
  const left: LeftDataSet[] = [];
  const unknown: string[] = [];
  for (const [benchmark, { sourceSha256, joinedSha256 = {}, format }] of Object.entries(benchmarks)) {
    const entry = entryOf(catalogue, sourceSha256, format);
    if (which === 'all') left.push({ benchmark, why: 'by choice', chosen: true, suites: null });
    else if (which === 'none') continue;
    else if (entry?.redistributable === false)
      left.push({ benchmark, why: licenceOf(entry), chosen: false, suites: null });
    else {
      if (entry === undefined) unknown.push(benchmark);
      const formats = joinedFormats(spec, benchmark);
      const joined = Object.entries(joinedSha256).flatMap(([suite, sha256]) => {
        const file = entryOf(catalogue, sha256, formats.get(suite) ?? '');
        return file?.redistributable === false ? [{ suite, why: `suite ${suite}: ${licenceOf(file)}` }] : [];
      });
      const [first] = joined;
      if (first !== undefined)
        left.push({ benchmark, why: first.why, chosen: false, suites: joined.map(({ suite }) => suite) });
    }
  }
  return { left, unknown };
}

/** By its bytes; another edition of a public file by its format, if that has nothing else. */
const entryOf = (catalogue: readonly CatalogueEntry[], sha256: string, format: string): CatalogueEntry | undefined =>
  catalogue.find(({ file }) => file.sha256 === sha256) ?? catalogue.find((entry) => entry.format === format);

const licenceOf = ({ title, licence }: CatalogueEntry): string => `${title}: licence ${licence}`;

const joinedFormats = (spec: Manifest['spec'], benchmark: string): ReadonlyMap<string, string> =>
  new Map(
    (spec.benchmarks[benchmark]?.suites ?? []).flatMap((suite) =>
      typeof suite === 'string' ? [] : [[suite.name, suite.format] as const],
    ),
  );
