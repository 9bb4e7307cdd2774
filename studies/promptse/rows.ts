/** PromptSE's own table of one page: the scores of each prompt's samples. */
import { softExec, type WeighedSample } from './soft-exec.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { Answer, At, CellState, StudyPage } from '../cell-state.ts';
import { sampleVerdict } from '../sample-verdict.ts';
import type { PromptseStudy } from './settings.ts';

export function promptseRows(study: PromptseStudy, page: StudyPage): Partial<Record<TableName, Row[]>> {
  return { prompt_scores: page.cells.map((cell) => scoreRow(study, page, cell)) };
}

interface Sample {
  readonly passed: boolean;
  /** Sum over the completion's tokens; null for a reply without log-probabilities. */
  readonly logprobSum: number | null;
  /** Why the log-probabilities that came were rejected; null if they were not. */
  readonly logprobFault: string | null;
}

function scoreRow({ settings }: PromptseStudy, page: StudyPage, cell: CellState): Row {
  const samples = Array.from({ length: settings.samples }, (_, sample) =>
    sampleOf(cell, { step: 'generate', loop: 1, ask: 0, sample }),
  );
  const asked = samples.filter((sample) => sample !== undefined);
  const counted = asked.filter((sample) => sample !== 'excluded');
  const passed = counted.filter((sample) => sample.passed).length;
  const weighed = counted.filter((sample): sample is Sample & WeighedSample => sample.logprobSum !== null);
  const faults = counted.flatMap(({ logprobFault }) => logprobFault ?? []);
  const light = samples
    .slice(0, settings.lightSamples)
    .flatMap((sample) => (sample === undefined || sample === 'excluded' ? [] : [sample]));
  return {
    ...page.key(cell),
    distance: cell.variant?.distance ?? null,
    emotion: cell.variant?.emotion ?? null,
    edit_distance: cell.variant?.editDistance ?? null,
    n_samples: counted.length,
    n_passed: passed,
    n_excluded: asked.length - counted.length,
    n_without_logprobs: counted.length - weighed.length,
    n_rejected_logprobs: faults.length,
    logprob_fault: faults[0] ?? null,
    pass_rate: counted.length === 0 ? null : passed / counted.length,
    light_samples: light.length,
    light_passed: light.filter((sample) => sample.passed).length,
    soft_exec: weighed.length === counted.length ? softExec(weighed) : null,
    simulated: page.simulated,
  };
}

/** Undefined for a sample that was not asked: its variant is missing. */
function sampleOf(cell: CellState, at: At): Sample | 'excluded' | undefined {
  const answer = cell.answer(at);
  if (answer === undefined) return undefined;
  const verdict = sampleVerdict(cell.outcomes(at));
  if (verdict === 'excluded') return verdict;
  const logprobFault = answer.reply.logprobFault ?? null;
  return { passed: verdict === 'passed', logprobSum: logprobSumOf(answer), logprobFault };
}

/** A reply without tokens has no probability. */
function logprobSumOf({ reply: { logprobs } }: Answer): number | null {
  return logprobs === null || logprobs.length === 0 ? null : logprobs.reduce((sum, value) => sum + value, 0);
}
