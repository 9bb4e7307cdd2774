/** Asks a model of a run for a new taxonomy of its summaries' details. Replies are on disk before they count, and are not asked for again. */
import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { chatRequest } from '../domain/chat-request.ts';
import { InputError } from '../domain/errors.ts';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import { seedOf } from '../domain/random.ts';
import { replyStatusOf } from '../domain/reply-status.ts';
import type { ChatReply, ChatRequest } from '../schemas/chat.ts';
import type { Taxonomy } from '../schemas/taxonomy.ts';
import { sampleOf } from '../studies/specificity/label-sample.ts';
import { proposalIn, proposalVersion, proposeMessages } from '../studies/specificity/propose.ts';
import type { SpecificityStudy } from '../studies/specificity/settings.ts';
import { summariesOf } from './export-label-sample.ts';
import { ProviderFault } from './providers/provider.ts';
import { type ReplayLine, replayLineSchema, replyOfLine } from './providers/replay-line.ts';
import type { AskedModel, Run } from './runs.ts';

export interface ProposalOptions {
  readonly study: SpecificityStudy;
  readonly model: string;
  /** Summaries that are shown. */
  readonly sample: number;
  readonly seed: number;
  /** Most questions until an answer is a taxonomy. */
  readonly asks: number;
  /** Where replies are kept: the beginning of a file's name, by endpoint. The file is a recording that a model with `provider: replay` takes. */
  readonly repliesFile: string;
}

export interface ProposedTaxonomy {
  readonly taxonomy: Taxonomy;
  readonly summaries: number;
  /** Questions until the answer was read, those that were kept from before included. */
  readonly asks: number;
}

export async function proposeTaxonomy(run: Run, options: ProposalOptions): Promise<ProposedTaxonomy> {
  const { study, sample, seed } = options;
  const summaries = sampleOf(summariesOf(run, study), sample, seed).map(({ text }) => text);
  if (summaries.length === 0) throw new InputError('has no summaries yet: run it first', { field: `study ${study.name}` });
  const model = run.model(options.model);
  const faults: string[] = [];
  for (let ask = 0; ask < options.asks; ask += 1) {
    const messages = proposeMessages(summaries, faults.at(-1) ?? null);
    const parameters = { maxTokens: 4096, seed: seedOf('taxonomy', seed, ask) };
    const request = chatRequest(model.requestedModel, messages, parameters, model.parameters);
    const reply = await answerTo(model, options, request, ask);
    const status = replyStatusOf(reply);
    const proposal = status === 'ok' ? proposalIn(reply.text) : ({ categories: null, fault: `the reply is ${status}` } as const);
    if (proposal.categories === null) faults.push(proposal.fault);
    else return { taxonomy: named(run, model, options, summaries.length, proposal.categories), summaries: summaries.length, asks: ask + 1 };
  }
  throw new InputError(
    `gave no taxonomy in ${options.asks} answers: ${faults.join('; ')}. Its replies are beside the file, in ${options.repliesFile}.*.jsonl`,
    {
      field: `model ${model.id}`,
    },
  );
}

/** Whose it is stands in the file itself, and its version on every label that is made with it. */
function named(run: Run, model: AskedModel, { study, seed }: ProposalOptions, count: number, categories: Taxonomy['categories']): Taxonomy {
  const who = `${model.requestedModel}${model.simulated ? ' (a simulated model)' : ''}`;
  return {
    version: `proposed-${sha256(canonicalJson(categories)).slice(0, 8)}`,
    source:
      `Ours, not the paper’s: proposed by ${who}, ${proposalVersion}, from ${count} summaries of study ${study.name} of run ${run.runId}, seed ${seed}`.slice(
        0,
        400,
      ),
    categories,
  };
}

async function answerTo(model: AskedModel, { study, repliesFile }: ProposalOptions, request: ChatRequest, ask: number): Promise<ChatReply> {
  const provider = await model.provider();
  const requestSha256 = sha256(canonicalJson(request));
  // Another endpoint's answer to the same words is another answer.
  const file = `${repliesFile}.${sha256(provider.endpointIdentity).slice(0, 8)}.jsonl`;
  const known = (await keptLines(file)).find((line) => line.request_sha256 === requestSha256);
  if (known !== undefined) return replyOfLine(known);
  const coordinates = {
    ...{ study: study.name, benchmark: study.benchmark, taskId: 'taxonomy', sourceTaskId: 'taxonomy', language: 'python' },
    ...{ step: 'label' as const, loop: 0, variant: 'proposal', setting: 'poset', repetition: 0, ask, sample: 0, requestSha256 },
  };
  const reply = await patiently(() => provider.ask(request, coordinates, new AbortController().signal));
  const line: ReplayLine = {
    ...{ reply: reply.text, step: 'label', variant: 'proposal', ask, request_sha256: requestSha256 },
    ...{
      model: reply.returnedModel,
      finish_reason: reply.finishReason,
      input_tokens: reply.inputTokens,
      output_tokens: reply.outputTokens,
    },
    simulated: model.simulated,
  };
  await appendFile(file, `${JSON.stringify(line)}\n`, { flush: true });
  return reply;
}

/** A line that a crash has torn is as if it were not there. */
async function keptLines(file: string): Promise<ReplayLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return [replayLineSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

const mostTries = 6;

/** A model that cannot be asked says so; what passes is tried again. */
async function patiently(ask: () => Promise<readonly ChatReply[]>): Promise<ChatReply> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [reply] = await ask();
      if (reply === undefined) throw new ProviderFault('retry', 'the endpoint gave no answer');
      return reply;
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.kind === 'stop' || tries === mostTries) throw asInput(error);
      await pause(error.retryAfterMs ?? 1000 * 2 ** tries);
    }
  }
}

const asInput = (error: unknown): unknown => (error instanceof ProviderFault ? new InputError(error.message, { field: '--model' }) : error);
