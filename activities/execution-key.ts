/** What a verdict depends on, and the limits that programs get. */
import { canonicalJson, sha256 } from '../domain/ids.ts';
import type { Limits } from '../schemas/program.ts';
import type { Suite, Task } from '../schemas/task.ts';
import type { ReferenceRecord } from './storage/ledger.ts';

/** The sandbox that a run's verdicts come from; frozen at plan. */
export interface SandboxIdentity {
  readonly tier: string;
  readonly engine: string;
  readonly imageDigest: string;
}

const memoryBytes = 512 * 1024 * 1024;
const outputBytes = 8 * 1024 * 1024;
const floorMs = 1000;
const referenceFactor = 2;

/** EVALOOP's rule (domain reading: max(1 s, 2 x reference) per input). The rule, not the measured times, is what a verdict is keyed by. */
export const limitsRule = canonicalJson({
  rule: `time per input: max(${floorMs} ms, ${referenceFactor} x reference), confirmed alone before it is recorded`,
  memory_bytes: memoryBytes,
  output_bytes: `max(${outputBytes}, ${referenceFactor} x reference)`,
});

export function limitsFor(reference: ReferenceRecord, cases: number): Limits {
  const caseTimeoutMs = Array.from({ length: cases }, (_, index) => Math.max(floorMs, referenceFactor * (reference.caseMs[index] ?? 0)));
  const referenceBytes = reference.outputs.reduce((sum, output) => sum + (output?.length ?? 0), 0);
  return { caseTimeoutMs, memoryBytes, outputBytes: Math.max(outputBytes, referenceFactor * referenceBytes) };
}

/** Limits of the reference's own run: wide, since nothing is judged by them. */
export const referenceLimits: Limits = { caseTimeoutMs: 60_000, memoryBytes, outputBytes: 8 * outputBytes };

/** Escaped where code holds half of a surrogate pair: in UTF-8, which is hashed, all of those are one character. */
const textOf = (code: string): string => (code.isWellFormed() ? code : JSON.stringify(code));

export const programSha256 = (code: string): string => sha256(textOf(code));

export const executionKey = (sandbox: SandboxIdentity, task: Task, suite: Suite, code: string): string =>
  sha256([sandbox.imageDigest, task.recordSha256, suite.name, limitsRule, textOf(code)].join('\0'));

export const referenceKey = (sandbox: Pick<SandboxIdentity, 'imageDigest'>, task: Task, suite: Suite): string =>
  sha256(['reference', sandbox.imageDigest, task.recordSha256, suite.name].join('\0'));
