/** A report's data about studies of plain pass@k. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { allSuites } from '../results/counts.ts';
import { reportedPassTables, passStudies } from '../results/tables.ts';
import { ksOf, temperatureOf } from '../settings.ts';

export interface PassReport {
  readonly studies: readonly PassStudyReport[];
}

export interface PassStudyReport {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  /** n. */
  readonly samples: number;
  readonly repetitions: number;
  readonly ks: readonly number[];
  /** By name of their setting; null: not sent. */
  readonly temperatures: Readonly<Record<string, number | null>>;
  /** Rows of table `pass_at_k`. */
  readonly passAtK: readonly Row[];
  /** Rows of table `pass_repeats`. */
  readonly repeats: readonly Row[];
  /** Rows of table `pass_tasks` of tasks that are flaky, over all suites together. */
  readonly flaky: readonly Row[];
}

export async function collectPass(database: RunDatabase): Promise<PassReport> {
  const tables = await reportedPassTables(database);
  const studies = database.manifests.flatMap((manifest) =>
    passStudies(manifest).map((study): PassStudyReport => {
      const own = (row: Row): boolean => row['run'] === manifest.runId && row['study'] === study.name;
      const repeats = tables.pass_repeats.filter(own);
      const settings = [...new Set(repeats.map((row) => textOf(row, 'setting')))];
      return {
        ...{ run: manifest.runId, study: study.name, benchmark: study.benchmark },
        samples: study.settings.samples,
        repetitions: study.repetitions,
        ks: ksOf(study.settings),
        temperatures: Object.fromEntries(settings.map((setting) => [setting, temperatureOf(study, setting)])),
        passAtK: tables.pass_at_k.filter(own),
        repeats,
        flaky: tables.pass_tasks.filter((row) => own(row) && row['suite'] === allSuites && row['flaky'] === true),
      };
    }),
  );
  return { studies };
}
