/** Keys of verdicts and references, and the limits of programs. */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { Limits } from '../../schemas/program.ts';
import { judgingRule } from '../../schemas/spec/benchmark.ts';
import type { JudgingRule, Suite, Task } from '../../schemas/task.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';

/** The sandbox that produces a run's verdicts; fixed when the run is planned. */
export interface SandboxIdentity {
  readonly tier: string;
  readonly engine: string;
  readonly imageDigest: string;
}

const memoryBytes = 512 * 1024 * 1024;
const outputBytes = 8 * 1024 * 1024;
/** A program may print this multiple of the reference's output, if that is more than `outputBytes`. */
const outputFactor = 2;

/** EVALOOP's limits (domain reading: max(1 s, 2 x reference) per input). */
export const usualJudging: JudgingRule = judgingRule.parse({});

/** Part of a verdict's key: the rule for limits, not the measured times. */
export function limitsRule({ judging = usualJudging }: Pick<Suite, 'judging'>): string {
  const { caseLimitMs, referenceFactor, missingPackage } = judging;
  return canonicalJson({
    rule:
      `time per input: max(${caseLimitMs} ms, ${referenceFactor} x reference), ` +
      'confirmed alone before it is recorded',
    memory_bytes: memoryBytes,
    output_bytes: `max(${outputBytes}, ${outputFactor} x reference)`,
    ...(missingPackage === 'excluded' ? {} : { missing_package: missingPackage }),
  });
}

export function limitsFor(
  reference: ReferenceRecord,
  { inputs, judging = usualJudging }: Pick<Suite, 'inputs' | 'judging'>,
): Limits {
  const { caseLimitMs, referenceFactor } = judging;
  const caseTimeoutMs = inputs.map((_, index) =>
    Math.max(caseLimitMs, referenceFactor * (reference.caseMs[index] ?? 0)),
  );
  const referenceBytes = reference.outputs.reduce((sum, output) => sum + (output?.length ?? 0), 0);
  return { caseTimeoutMs, memoryBytes, outputBytes: Math.max(outputBytes, outputFactor * referenceBytes) };
}

/** Processor time of one case of a reference. */
export const referenceCaseMs = 60_000;
/** Limits of the reference's own run: generous, since they judge no program. */
export const referenceLimits: Limits = { caseTimeoutMs: referenceCaseMs, memoryBytes, outputBytes: 8 * outputBytes };

/** Escapes code with half of a surrogate pair: in UTF-8, which is hashed, all such halves become the same character. */
const textOf = (code: string): string => (code.isWellFormed() ? code : JSON.stringify(code));

export const programSha256 = (code: string): string => sha256(textOf(code));

export const executionKey = (sandbox: SandboxIdentity, task: Task, suite: Suite, code: string): string =>
  sha256([sandbox.imageDigest, task.recordSha256, suite.name, limitsRule(suite), textOf(code)].join('\0'));

export const referenceKey = (sandbox: Pick<SandboxIdentity, 'imageDigest'>, task: Task, suite: Suite): string =>
  sha256(['reference', sandbox.imageDigest, task.recordSha256, suite.name].join('\0'));
