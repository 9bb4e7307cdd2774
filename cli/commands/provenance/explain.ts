/** `explain`: everything behind one row of a run, or behind an example of its report. */
import { explainAnswer, type ExplainedAnswer } from '../../../analysis/explain/explanation.ts';
import { parseAddress } from '../../../analysis/explain/address.ts';
import { answersBehind, type FoundRow, findRow } from '../../../analysis/explain/find-row.ts';
import { openRun } from '../../../analysis/database.ts';
import { InputError } from '../../../domain/errors.ts';
import { sha256 } from '../../../domain/ids.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { studyViews } from '../../../studies/answers.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { explainedLines, judgedLines } from '../../output/explain-text.ts';
import { againScript } from '../../output/explain-script.ts';
import { escaped, type Terminal } from '../../output/terminal.ts';
import type { RunHome } from '../../../activities/storage/home/run-home.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import { judgedReply } from '../judging/judged-reply.ts';
import { taskRecord } from './task-record.ts';

export interface ExplainOptions {
  readonly runsDir: string;
  readonly script?: boolean;
  readonly judge?: string;
  readonly most: string;
}

export async function explainRow(
  id: string,
  words: readonly string[],
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const most = wholeNumber(options.most);
  const address = parseAddress(words);
  const { home, manifest } = await runCatalog(options.runsDir).find(id);
  const { found, answers, more } = await explained(home, manifest, address, most);
  if (options.script === true) {
    terminal.out(againScript(id, options.runsDir, manifest, theOnly(answers, more)));
    return exitStatus.done;
  }
  if (options.judge !== undefined) {
    const answer = theOnly(answers, more);
    const judged = await judgedReply({ id, runsDir: options.runsDir, manifest, answer, file: options.judge }, terminal);
    terminal.out(judgedLines(judged).map(escaped).join('\n'));
    terminal.document({ run: id, address: answer.address, ...judged });
    return exitStatus.done;
  }
  const whole = await Promise.all(
    answers.map(async (answer) => ({ ...answer, record: await taskRecord(home.blobs, answer) })),
  );
  const run = runFacts(manifest);
  terminal.document({ run, table: found.table, row: found.row, answers: whole, more });
  terminal.out(explainedLines({ manifest, found, answers: whole, more }).map(escaped).join('\n'));
  return exitStatus.done;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InputError(`must be a whole number of at least 1; got "${text}"`, { field: '--answers' });
}

interface Explained {
  readonly found: FoundRow;
  readonly answers: readonly ExplainedAnswer[];
  readonly more: number;
}

async function explained(
  home: RunHome,
  manifest: Manifest,
  address: ReturnType<typeof parseAddress>,
  most: number,
): Promise<Explained> {
  const database = await openRun(await home.tables(), { views: studyViews });
  try {
    const found = await findRow(database, address);
    const { answers, more } = await answersBehind(database, found, most);
    const all: ExplainedAnswer[] = [];
    for (const answer of answers) all.push(await explainAnswer(database, manifest, answer));
    return { found, answers: all, more };
  } finally {
    database.close();
  }
}

function theOnly(answers: readonly ExplainedAnswer[], more: number): ExplainedAnswer {
  const [answer, ...others] = answers;
  if (answer !== undefined && others.length + more === 0) return answer;
  const addresses = answers.map((one) => `  ${one.address}`);
  throw new InputError(
    answer === undefined
      ? 'no answer of a model is behind this row'
      : [`must name one answer; behind this row are ${answers.length + more}, such as`, ...addresses].join('\n'),
    { field: 'row' },
  );
}

/** What concerns all rows of the run. */
const runFacts = (manifest: Manifest) => {
  const { runId, uuid, state, createdAt, programVersion, versions, sandbox, spec, specFile, specText, plan } = manifest;
  return {
    ...{ run: runId, uuid, state, created: createdAt, program_version: programVersion, versions, sandbox },
    ...{ spec_file: specFile ?? null, spec_sha256: sha256(specText), seed: spec.seed },
    plan: plan.map(({ revision, createdAt: created, programVersion: program = null, sha256: hash }) => ({
      ...{ revision, created, program_version: program, sha256: hash },
    })),
  };
};
