/** Judges a reply from a file, or the recorded one, as the answer that `explain` found. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { type AnswerPlace, judgeAgain, type JudgedAgain } from '../../../activities/judging/judge-again.ts';
import { openAiApis } from '../../../activities/providers/openai-apis.ts';
import { failureIn, replyWithout } from '../../../activities/providers/openai-body.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import type { ExplainedAnswer } from '../../../analysis/explain/explanation.ts';
import { InputError } from '../../../domain/errors.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { unreadable } from '../../../domain/unreadable.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { StepName } from '../../../schemas/states.ts';
import type { Terminal } from '../../output/terminal.ts';
import { openJudge } from './open-judge.ts';

/** In place of a file: the reply that the run has. */
const recorded = 'recorded';

interface Wanted {
  readonly id: string;
  readonly runsDir: string;
  readonly manifest: Manifest;
  readonly answer: ExplainedAnswer;
  readonly file: string;
}

export async function judgedReply(wanted: Wanted, terminal: Terminal): Promise<JudgedAgain> {
  const { id, runsDir, manifest, answer, file } = wanted;
  const place = placeOf(answer);
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const opened = openJudge(manifest.sandbox, terminal.note);
  try {
    const run = await runs.open({ runId: id, uuid: manifest.uuid, epoch: 0 });
    const known = (await run.ledger.reply(textOf(answer.sample, 'call_key')))?.reply;
    const reply = file === recorded && known !== undefined ? known : await replyIn(file);
    return await judgeAgain(run, place, reply, opened.judge, new AbortController().signal);
  } finally {
    await opened.close();
    await runs.close();
  }
}

function placeOf({ sample }: ExplainedAnswer): AnswerPlace {
  return {
    study: textOf(sample, 'study'),
    model: textOf(sample, 'model'),
    cell: {
      taskId: textOf(sample, 'task_id'),
      language: textOf(sample, 'language'),
      variant: textOf(sample, 'variant'),
      setting: textOf(sample, 'setting'),
      repetition: numberOf(sample, 'repetition'),
    },
    at: {
      step: textOf(sample, 'step') as StepName,
      loop: numberOf(sample, 'loop'),
      ask: numberOf(sample, 'ask'),
      sample: numberOf(sample, 'sample'),
    },
  };
}

/** An answer as an endpoint sends it, or the text of a reply. */
async function replyIn(file: string): Promise<ChatReply> {
  const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw new InputError(unreadable(error), { file, field: '--judge' });
  });
  const body = sentBody(text);
  if (body === undefined) return { ...replyWithout('other', null), text, finishReason: 'stop' };
  const failure = failureIn(body);
  if (failure !== null) throw new InputError(`the endpoint refused the request: ${failure.message}`, { file });
  const api = openAiApis['choices' in body ? 'chat' : 'responses'];
  const read = api.read(body, { n: 1, isStreamed: false, requestId: () => '' });
  const [reply] = 'replies' in read ? read.replies : [];
  if (reply !== undefined) return reply;
  throw new InputError(`must be a ${api.answer} with an answer, or the text of one`, { file });
}

/** Undefined for any other text. */
function sentBody(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isSent =
      typeof body === 'object' && body !== null && ['choices', 'output', 'error'].some((key) => key in body);
    return isSent ? body : undefined;
  } catch {
    return undefined;
  }
}
