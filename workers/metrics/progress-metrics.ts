/** Metrics of the process that owns a run: the run's progress, as its ledger has it, and the process's memory. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';

/** The ledger is asked at each scrape. Over all processes, restarts included. */
export function progressMetrics(run: string, ledger: Pick<Ledger, 'progress'>): () => Promise<string> {
  const registry = new Registry();
  registry.setDefaultLabels({ process: 'owner' });
  collectDefaultMetrics({ register: registry });
  const gauges = Object.entries(shown).map(([name, { help, value }]) => ({
    gauge: new Gauge({ name: `evenkeel_run_${name}`, help, labelNames: ['run'], registers: [registry] }),
    value,
  }));
  return async () => {
    const progress = await ledger.progress();
    for (const { gauge, value } of gauges) gauge.set({ run }, value(progress));
    return registry.metrics();
  };
}

const shown: Readonly<Record<string, { readonly help: string; readonly value: (progress: Progress) => number }>> = {
  answers: { help: 'Replies received.', value: ({ answered }) => answered },
  failed_calls: { help: 'Calls that failed.', value: ({ failedCalls }) => failedCalls },
  lost_calls: { help: 'Calls lost with their process.', value: ({ lostCalls }) => lostCalls },
  programs: { help: 'Programs judged on a suite.', value: ({ verdicts }) => verdicts },
  pages: { help: 'Pages of the plan.', value: ({ pages }) => pages.total },
  pages_sealed: { help: 'Pages finished and stored.', value: ({ pages }) => pages.sealed },
  pages_failed: { help: 'Pages that failed.', value: ({ pages }) => pages.failed },
  spend_usd: {
    help: 'US dollars spent, estimates included.',
    value: ({ spend }) => spend.reportedUsd + spend.estimatedUsd,
  },
  tokens: { help: 'Tokens used, input plus output.', value: ({ spend }) => spend.tokens },
};
