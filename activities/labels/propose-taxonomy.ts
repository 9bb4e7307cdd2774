/**
 * Asks a model of a run for a new taxonomy of its labelled prompts. Replies are stored before they are used, and are
 * never asked for twice.
 */
import { appendFile, open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { chatRequest } from '../../domain/chat-request.ts';
import { longestClosedMs } from '../../domain/accounts/account-closure.ts';
import { InputError } from '../../domain/errors.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { seedOf } from '../../domain/random.ts';
import { replyStatusOf } from '../../domain/reply-status.ts';
import type { ChatReply, ChatRequest } from '../../schemas/chat.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import { sampleOf } from '../../studies/labels/sample.ts';
import { studyOf } from '../../studies/index.ts';
import type { Proposal, StudyLabels, TaxonomyProposal } from '../../studies/labels/study-labels.ts';
import { labelledPrompts } from './sample.ts';
import { ProviderFault } from '../providers/provider.ts';
import { type ReplayLine, replayLineSchema, replyOfLine } from '../providers/replay-line.ts';
import type { AskedModel } from '../calls/asked-model.ts';
import type { Run } from '../runs/opened/run.ts';

export interface ProposalOptions {
  /** A study with labelled prompts. */
  readonly study: SpecStudy;
  readonly model: string;
  /** Number of prompts to show. */
  readonly sample: number;
  readonly seed: number;
  /** Highest number of attempts to get a valid taxonomy. */
  readonly asks: number;
  /**
   * Path prefix of the file of replies; the endpoint's hash follows. The file is a recording for models
   * with `provider: replay`.
   */
  readonly repliesFile: string;
}

export interface ProposedTaxonomy {
  readonly taxonomy: Taxonomy;
  /** Number of prompts shown. */
  readonly shown: number;
  /** Number of questions asked, including those answered from stored replies. */
  readonly asks: number;
}

/** Throws InputError if the study has no labels or no prompts yet, or the model gives no valid taxonomy. */
export async function proposeTaxonomy(run: Run, options: ProposalOptions): Promise<ProposedTaxonomy> {
  const { study, sample, seed } = options;
  const { proposal, promptsAre } = labelsOf(study);
  const texts = sampleOf(await labelledPrompts(run, study), sample, seed).map(({ text }) => text);
  if (texts.length === 0)
    throw new InputError(`has no ${promptsAre} yet: run it first`, { field: `study ${study.name}` });
  const model = run.model(options.model);
  const faults: string[] = [];
  for (let ask = 0; ask < options.asks; ask += 1) {
    const messages = proposal.messages(texts, faults.at(-1) ?? null);
    const parameters = { maxTokens: 4096, seed: seedOf('taxonomy', seed, ask) };
    const request = chatRequest(model.requestedModel, messages, parameters, model.parameters);
    const reply = await answerTo(model, options, request, ask);
    const { categories, fault } = proposed(reply, proposal);
    if (categories === null) faults.push(fault);
    else return { taxonomy: named(run, model, options, texts.length, categories), shown: texts.length, asks: ask + 1 };
  }
  throw new InputError(
    `gave no taxonomy in ${options.asks} answers: ${faults.join('; ')}. Its replies are in ` +
      `${options.repliesFile}.*.jsonl`,
    { field: `model ${model.id}` },
  );
}

function labelsOf(study: SpecStudy): StudyLabels {
  const { labels } = studyOf(study);
  if (labels === undefined) throw new InputError('has no labelled prompts', { field: `study ${study.name}` });
  return labels;
}

function proposed(reply: ChatReply, proposal: TaxonomyProposal): Proposal {
  const status = replyStatusOf(reply);
  return status === 'ok' ? proposal.read(reply.text) : { categories: null, fault: `the reply is ${status}` };
}

/** Characters; the limit in the taxonomy's schema. */
const longestSource = 400;

/** The file names the taxonomy's origin, and every label made with it has its version. */
function named(
  run: Run,
  model: AskedModel,
  { study, seed }: ProposalOptions,
  count: number,
  categories: Taxonomy['categories'],
): Taxonomy {
  const who = `${model.requestedModel}${model.simulated ? ' (a simulated model)' : ''}`;
  const { proposal, promptsAre } = labelsOf(study);
  const from = `from ${count} ${promptsAre} of study ${study.name} of run ${run.runId}, seed ${seed}`;
  const source = `Ours, not the paper’s: proposed by ${who}, ${proposal.version}, ${from}`;
  const version = `proposed-${sha256(canonicalJson(categories)).slice(0, 8)}`;
  return { version, source: source.slice(0, longestSource), categories };
}

async function answerTo(
  model: AskedModel,
  { study, repliesFile }: ProposalOptions,
  request: ChatRequest,
  ask: number,
): Promise<ChatReply> {
  const provider = await model.provider();
  const requestSha256 = sha256(canonicalJson(request));
  // Replies of different endpoints to the same request are stored apart.
  const file = `${repliesFile}.${sha256(provider.endpointIdentity).slice(0, 8)}.jsonl`;
  const known = (await keptLines(file)).find((line) => line.request_sha256 === requestSha256);
  if (known !== undefined) return replyOfLine(known);
  await checkReplies(file);
  const coordinates = {
    ...{
      study: study.name,
      benchmark: study.benchmark,
      taskId: 'taxonomy',
      sourceTaskId: 'taxonomy',
      language: 'python',
    },
    setting: studyOf(study).variants?.cellSetting ?? 'default',
    ...{ step: 'label' as const, loop: 0, variant: 'proposal', repetition: 0, ask, sample: 0, requestSha256 },
  };
  const reply = await retried(() => provider.ask(request, coordinates, new AbortController().signal));
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

/** Throws the system's error if the file is there and cannot take another reply, which would be paid for and lost. */
async function checkReplies(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await file?.close();
}

/** Skips a line that a crash truncated. */
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

const maxTries = 6;

/** Retries faults that may pass; reports a model that cannot be asked. */
async function retried(ask: () => Promise<readonly ChatReply[]>): Promise<ChatReply> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [reply] = await ask();
      if (reply === undefined) throw new ProviderFault('retry', 'the endpoint gave no answer');
      return reply;
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.kind === 'stop' || tries === maxTries) throw asInput(error);
      await pause(Math.min(error.retryAfterMs ?? 1000 * 2 ** tries, longestClosedMs({})));
    }
  }
}

const asInput = (error: unknown): unknown =>
  error instanceof ProviderFault ? new InputError(error.message, { field: '--model' }) : error;
