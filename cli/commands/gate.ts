/** `gate`: compares two sides under a policy; the exit status is the verdict. */
import { resolve } from 'node:path';
import { runCoverage } from '../../studies/coverage.ts';
import { openRun } from '../../analysis/database.ts';
import { gateOver, type GateRequest } from '../../studies/gate.ts';
import { InputError } from '../../domain/errors.ts';
import { type GateOutcome, gateExitStatus } from '../../domain/gate/evaluate.ts';
import { gateJunit } from '../../domain/gate/junit.ts';
import { gateMarkdown } from '../../domain/gate/markdown.ts';
import { refusal } from '../../domain/spec/faults.ts';
import { unknownNames } from '../../studies/across/policy-names.ts';
import type { ExitStatus } from '../exit-status.ts';
import { writeOutput } from '../output/output-file.ts';
import { readPolicyFile } from '../policy-file.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { Terminal } from '../output/terminal.ts';

export interface GateOptions {
  readonly runsDir: string;
  readonly policy: string;
  readonly against?: string;
  readonly old?: string;
  readonly new?: string;
  readonly study?: string;
  readonly markdown?: string;
  readonly junit?: string;
}

export async function gate(id: string, options: GateOptions, terminal: Terminal): Promise<ExitStatus> {
  const { policy, places } = await readPolicyFile(options.policy);
  const folders = await Promise.all(
    [...new Set([id, options.against ?? id])].map((run) => runCatalog(options.runsDir).find(run)),
  );
  const [own, other] = folders.map(({ manifest }) => manifest.runId);
  const request = requestOf(own ?? id, { ...options, ...(other !== undefined && { against: other }) });
  const database = await openRun(await Promise.all(folders.map(({ home }) => home.tables())));
  try {
    const unknown = await unknownNames(database, policy);
    if (unknown.length > 0) throw refusal(unknown, places);
    const report = await gateOver(database, request, policy);
    const missing = runCoverage(database).flatMap(({ run, missing: cells, planned }) =>
      cells > 0 ? [`run ${run}: ${cells} of ${planned} cells are missing, so the gate cannot pass`] : [],
    );
    const notes = [...report.notes, ...missing];
    const outcome: GateOutcome = missing.length > 0 && report.outcome === 'passed' ? 'inconclusive' : report.outcome;
    const markdown = [
      `# Gate: ${outcome}\n`,
      ...report.comparisons.map(({ title, result }) => gateMarkdown(title, result)),
      ...notes.map((note) => `${note}.\n`),
    ].join('\n');
    if (options.markdown !== undefined) await writeOutput(resolve(options.markdown), [markdown]);
    if (options.junit !== undefined)
      await writeOutput(resolve(options.junit), [gateJunit(report.comparisons, missing, report.notes)]);
    terminal.out(markdown.trimEnd());
    terminal.document({ outcome, comparisons: report.comparisons, notes });
    return gateExitStatus[outcome];
  } finally {
    database.close();
  }
}

function requestOf(run: string, { against, old, new: now, study }: GateOptions): GateRequest {
  if ((old === undefined) !== (now === undefined))
    throw new InputError('--old and --new must be given together: name both models or neither');
  return {
    run,
    ...(against === undefined ? {} : { against }),
    ...(old === undefined || now === undefined ? {} : { old, now }),
    ...(study === undefined ? {} : { study }),
  };
}
