/** The metrics of what a worker does. Their names and labels are documented in docs/operations/metrics.md. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CallEnd, Observe, RunEvent } from '../../activities/observed/events.ts';

/** Buckets in seconds, from a cached answer to a long thought. */
const callSeconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000];
const waitSeconds = [0.01, 0.1, 1, 10, 60];
const programSeconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

export function runMetrics(registry: Registry): Observe {
  const calls = callMetrics(registry);
  const results = resultMetrics(registry);
  return (event) => {
    calls(event);
    results(event);
  };
}

function callMetrics(registry: Registry): Observe {
  const registers = [registry];
  const ofModel = { registers, labelNames: ['run', 'model'] as const };
  const retries = new Counter({ name: 'evenkeel_call_retries_total', help: 'Calls sent again.', ...ofModel });
  const inFlight = new Gauge({ name: 'evenkeel_calls_in_flight', help: 'Calls sent and not ended.', ...ofModel });
  const ofAccount = { registers, labelNames: ['model'] as const };
  const waiting = new Gauge({ name: 'evenkeel_calls_waiting', help: 'Calls waiting for their account.', ...ofAccount });
  const waited = new Histogram({
    name: 'evenkeel_account_wait_seconds',
    help: 'Time that calls waited for their account.',
    buckets: waitSeconds,
    ...ofAccount,
  });
  const ended = callEnds(registry);
  return (event) => {
    if (event.kind === 'sent') {
      const labels = { run: event.run, model: event.model };
      inFlight.inc(labels);
      if (event.isRetry) retries.inc(labels);
    } else if (event.kind === 'call') {
      inFlight.dec({ run: event.run, model: event.model });
      ended(event);
    } else if (event.kind === 'waiting') waiting.inc({ model: event.model });
    else if (event.kind === 'waited') {
      waiting.dec({ model: event.model });
      waited.observe({ model: event.model }, event.ms / 1_000);
    }
  };
}

function callEnds(registry: Registry): (end: CallEnd) => void {
  const registers = [registry];
  const ofModel = ['run', 'model'] as const;
  const calls = new Counter({
    name: 'evenkeel_calls_total',
    help: 'Calls that ended, by result.',
    labelNames: [...ofModel, 'result'] as const,
    registers,
  });
  const usd = new Counter({
    name: 'evenkeel_spend_usd_total',
    help: 'US dollars charged for calls.',
    labelNames: ofModel,
    registers,
  });
  const tokens = new Counter({
    name: 'evenkeel_tokens_total',
    help: 'Tokens of calls, by direction.',
    labelNames: [...ofModel, 'direction'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'evenkeel_call_seconds',
    help: 'Time from sending a call to its answer.',
    buckets: callSeconds,
    labelNames: ofModel,
    registers,
  });
  return ({ run, model, result, latencyMs, ...end }) => {
    const labels = { run, model };
    calls.inc({ ...labels, result });
    if (result === 'reused') return;
    usd.inc(labels, end.usd ?? 0);
    tokens.inc({ ...labels, direction: 'input' }, end.inputTokens ?? 0);
    tokens.inc({ ...labels, direction: 'output' }, end.outputTokens ?? 0);
    if (result === 'answered' && latencyMs !== null) seconds.observe(labels, latencyMs / 1_000);
  };
}

function resultMetrics(registry: Registry): Observe {
  const registers = [registry];
  const ofRun = { registers, labelNames: ['run'] as const };
  const programs = new Counter({
    name: 'evenkeel_programs_total',
    help: 'Programs judged on a suite, by outcome and by where the verdict comes from.',
    labelNames: ['run', 'outcome', 'source'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'evenkeel_program_seconds',
    help: 'Time that judged programs ran.',
    buckets: programSeconds,
    ...ofRun,
  });
  const inSandbox = new Gauge({
    name: 'evenkeel_programs_in_sandbox',
    help: 'Programs that run in the sandbox or wait for a slot there.',
    registers,
  });
  const stops = new Counter({
    name: 'evenkeel_stops_total',
    help: 'Times that a model or the run was stopped.',
    labelNames: ['run', 'reason'] as const,
    registers,
  });
  const parts = partMetrics(registry);
  return (event) => {
    if (event.kind === 'sandbox') inSandbox.inc(event.change);
    else if (event.kind === 'stop') stops.inc({ run: event.run, reason: event.reason });
    else if (event.kind === 'parts') parts(event);
    else if (event.kind === 'program') {
      const { run, outcome, isRun, wallMs } = event;
      programs.inc({ run, outcome, source: isRun ? 'run' : 'cache' });
      if (isRun) seconds.observe({ run }, wallMs / 1_000);
    }
  };
}

function partMetrics(registry: Registry): (event: Extract<RunEvent, { kind: 'parts' }>) => void {
  const ofRun = { registers: [registry], labelNames: ['run'] as const };
  const pages = new Counter({ name: 'evenkeel_pages_sealed_total', help: 'Pages finished and stored.', ...ofRun });
  const parts = new Counter({ name: 'evenkeel_parts_total', help: 'Parquet files registered.', ...ofRun });
  const rows = new Counter({ name: 'evenkeel_part_rows_total', help: 'Rows of registered files.', ...ofRun });
  const bytes = new Counter({ name: 'evenkeel_part_bytes_total', help: 'Bytes of registered files.', ...ofRun });
  return ({ run, page, ...event }) => {
    if (page !== null) pages.inc({ run });
    parts.inc({ run }, event.parts);
    rows.inc({ run }, event.rows);
    bytes.inc({ run }, event.bytes);
  };
}

/** Takes the number of requests of each group that the ledger commits. */
export function countLedgerGroups(registry: Registry): (requests: unknown) => void {
  const registers = [registry];
  const groups = new Counter({ name: 'evenkeel_ledger_groups_total', help: "Commits of ledgers' groups.", registers });
  const all = new Counter({ name: 'evenkeel_ledger_requests_total', help: 'Requests in these groups.', registers });
  return (requests) => {
    groups.inc();
    all.inc(Number(requests));
  };
}
