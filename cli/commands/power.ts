/** `power`: how many tasks and answers a comparison of two models needs, and what it can see. */
import { pricesOfRun } from '../../activities/estimate/answer-prices.ts';
import { openRun } from '../../analysis/database.ts';
import { observedComparison } from '../../analysis/power/observed-comparison.ts';
import { InputError } from '../../domain/errors.ts';
import { powerAdvice } from '../../domain/statistics/power/advice.ts';
import type { AnswerPrice } from '../../domain/statistics/power/comparison-design.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { type DetectOptions, powerQuestion, statedVariances, wholeNumberOf } from '../detect-options.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { powerDocument, powerText, type VarianceSource } from '../output/power-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';

export interface PowerOptions extends DetectOptions {
  readonly runsDir: string;
  readonly study?: string;
  readonly setting?: string;
  readonly models?: string;
  readonly tasks?: string;
}

export async function power(run: string | undefined, options: PowerOptions, terminal: Terminal): Promise<ExitStatus> {
  const question = powerQuestion(options);
  const wanted = options.tasks === undefined ? null : wholeNumberOf(options.tasks, '--tasks');
  const { source, prices, tasks } = await knownOf(run, options);
  const limit = wanted ?? tasks;
  const advice = powerAdvice(question, { spread: source.spread, tasks: limit, prices });
  const answer = { question, source, advice, tasks: limit, isPriced: prices !== null };
  terminal.document(powerDocument(answer));
  terminal.out(powerText(answer));
  return exitStatus.done;
}

interface Known {
  readonly source: VarianceSource;
  readonly prices: readonly AnswerPrice[] | null;
  /** Tasks of the run's benchmark; null without a run. */
  readonly tasks: number | null;
}

async function knownOf(run: string | undefined, options: PowerOptions): Promise<Known> {
  const stated = statedVariances(options);
  if (run === undefined) {
    if (stated !== null) return { source: { spread: stated, from: null }, prices: null, tasks: null };
    throw new InputError('name a run, or state the variances with --between, --within and --correlation');
  }
  if (stated !== null) throw new InputError('name a run or state the variances, not both');
  const { home, manifest } = await runCatalog(options.runsDir).find(run);
  const database = await openRun(await home.tables());
  try {
    const { study, setting, models } = options;
    const from = await observedComparison(database, manifest, {
      ...(study !== undefined && { study }),
      ...(setting !== undefined && { setting }),
      ...(models !== undefined && { models: models.split(',').map((name) => name.trim()) }),
    });
    return {
      source: { spread: from.observed.spread, from },
      prices: await pricesOfRun(database, manifest, from.study, from.models),
      tasks: availableTasks(manifest, from.study),
    };
  } finally {
    database.close();
  }
}

/** Tasks that the study could ask: those of its benchmark in the run, without those that it excludes. */
function availableTasks({ benchmarks, leftOut }: Manifest, { name, benchmark }: SpecStudy): number | null {
  const all = benchmarks[benchmark]?.tasks;
  return all === undefined ? null : all - (leftOut?.[name]?.length ?? 0);
}
