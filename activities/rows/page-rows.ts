/**
 * All rows of one page: evenkeel's own tables, which are the same for every study, and the study's. A pure function of
 * plan and ledger.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { countBlocks } from '../../domain/extraction/count-blocks.ts';
import { effortSent } from '../../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { SentParameters } from '../../schemas/chat.ts';
import { excludedReplies, type Outcome, type ReplyStatus } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { Task } from '../../schemas/task.ts';
import type { At, CellState, Extracted, Question, StudyPage } from '../../studies/cell-state.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { judgedCells } from '../pages/page-cells.ts';
import { questionOf } from '../calls/call.ts';
import { programSha256 } from '../judging/execution-key.ts';
import { outcomeColumns, paidColumns } from './answer-columns.ts';
import { type DrivenFacts, drivenFacts, drivenRows } from './driver-rows.ts';
import { failingInput } from './failing-input.ts';
import { measureRows } from './measure-rows.ts';
import { recordedRows } from './recorded-rows.ts';
import type { RunPage } from '../runs/opened/run.ts';
import { askingPrograms } from '../runs/asking-program.ts';
import { pageVariantRows } from './variant-rows.ts';
import type { BroughtSample, CallRecord, SampleRecord, VerdictRecord } from '../storage/ledger/records.ts';

export type PageRows = Partial<Record<TableName, readonly Row[]>>;

/** Answers converted to rows before yielding to other work of this process: a few tens of milliseconds. */
const answersPerTurn = 200;

export async function pageRows(page: RunPage): Promise<PageRows> {
  // Of one moment, so that no table has rows that arrive later.
  const { samples, calls } = await page.run.ledger.records(page.page);
  const cells = await judgedCells(page, samples);
  const driven = await drivenFacts(page, cells, samples);
  const programs = await askingPrograms(
    page.run.ledger,
    calls.map(({ epoch }) => epoch),
  );
  const paid = paidColumns(samples, calls);
  const answers: AnswerRows[] = [];
  for (const [index, sample] of samples.entries()) {
    if (index % answersPerTurn === 0) await turn();
    answers.push(answerRows(page, cells[sample.key.cell] as PageCell, sample, { driven, paid }));
  }
  await turn();
  return {
    prompts: distinct(
      answers.map(({ prompt }) => prompt),
      'prompt_sha256',
    ),
    calls: calls.map((call) => callRow(page, cells[call.key.cell] as PageCell, call, programs)),
    samples: answers.map(({ sample }) => sample),
    logprobs: answers.flatMap(({ logprobs }) => logprobs),
    verdicts: answers.flatMap(({ verdicts }) => verdicts),
    executions: distinct(
      answers.flatMap(({ executions }) => executions),
      'execution_id',
    ),
    ...givenTables(answers),
    ...(page.kind.measuredAt === undefined ? {} : await measureRows(page, cells)),
    ...(page.phase === 'variants' ? variantTables(page, cells) : page.kind.rows(page.study, studyPage(page, cells))),
  };
}

/** Absent if no task has a driver and no answer was imported: most runs do not need these tables. */
function givenTables(answers: readonly AnswerRows[]): PageRows {
  const driven = answers.flatMap((answer) => answer.driven);
  const recorded = answers.flatMap((answer) => answer.recorded);
  return {
    ...(driven.length > 0 && {
      parallel_runs: [
        ...new Map(driven.map((row) => [`${row['execution_id']}/${row['threads']}/${row['repeat']}`, row])).values(),
      ],
    }),
    ...(recorded.length > 0 && { recorded_verdicts: recorded }),
  };
}

export function studyPage({ run, model, key }: RunPage, cells: readonly CellState[]): StudyPage {
  const isSimulated = (id: string): boolean => run.model(id).simulated;
  return { key, cells, simulated: isSimulated(model), isSimulated };
}

function variantTables(page: RunPage, cells: readonly PageCell[]): PageRows {
  const further = page.kind.variants?.makingRows?.(page.study, studyPage(page, cells));
  return { variants: pageVariantRows(page), ...further };
}

function distinct(rows: readonly Row[], key: string): Row[] {
  return [...new Map(rows.map((row) => [row[key], row])).values()];
}

interface AnswerRows {
  readonly prompt: Row;
  readonly sample: Row;
  readonly logprobs: readonly Row[];
  readonly verdicts: readonly Row[];
  readonly executions: readonly Row[];
  readonly driven: readonly Row[];
  readonly recorded: readonly Row[];
}

/** What an answer's rows need of the rest of its page. */
interface PageFacts {
  readonly driven: DrivenFacts;
  readonly paid: ReturnType<typeof paidColumns>;
}

function answerRows(page: RunPage, cell: PageCell, record: BroughtSample, { driven, paid }: PageFacts): AnswerRows {
  const at: At = record.key;
  const question = questionOf(page, cell, at);
  const answer = cell.answer(at);
  if (!answer)
    throw new Error(
      `page ${page.page} lists a sample that is missing: cell ${cell.index}, ${at.step}, loop ${at.loop}`,
    );
  const extracted = cell.extracted(at);
  const code = extracted?.code ?? null;
  const key = { ...page.key(cell), loop: at.loop, step: at.step, sample: at.sample };
  const answering = page.run.model(question.asked === 'study' ? page.model : question.asked.model);
  const { logprobs } = record.reply;
  const prompt = promptRow(page, question);
  const judged = verdictRows(page, cell, at, key, { extracted, driven, without: outcomeWithout(answer.status) });
  const sample: Row = {
    ...key,
    ask: at.ask,
    answering_model: answering.id,
    effort: effortSent(question.parameters, answering.parameters),
    call_key: record.callKey,
    prompt_sha256: prompt['prompt_sha256'] ?? null,
    parent_step: question.parent?.step ?? null,
    parent_loop: question.parent?.loop ?? null,
    backend: record.reply.backend ?? null,
    request_id: record.reply.requestId ?? null,
    response_headers: record.reply.headers === undefined ? null : JSON.stringify(record.reply.headers),
    reply: record.reply.text,
    finish_reason: record.reply.finishReason,
    reasoning: record.reply.reasoning ?? null,
    reply_status: answer.status,
    extraction: extracted?.how ?? null,
    extraction_rule: extracted?.rule ?? null,
    ...blockColumns(cell, at, record, extracted !== undefined),
    solution: code,
    program_sha256: code === null ? null : programSha256(code),
    logprob_sum: logprobs === null ? null : logprobs.reduce((sum, value) => sum + value, 0),
    logprob_tokens: logprobs?.length ?? null,
    logprob_fault: record.reply.logprobFault ?? null,
    ...outcomeColumns(judged.verdicts),
    ...paid(record),
    simulated: answering.simulated,
  };
  return {
    prompt,
    sample,
    logprobs: logprobs === null ? [] : [{ ...key, ask: at.ask, logprobs, simulated: answering.simulated }],
    recorded: recordedRows(key, record.reply.recorded ?? [], answering.simulated),
    ...judged,
  };
}

/** Null for recordings without the raw reply. */
function blockColumns(cell: PageCell, at: At, { reply }: SampleRecord, asksForCode: boolean): Row {
  if (!asksForCode || reply.extracted === true) return { blocks: null, defining_blocks: null };
  const { blocks, defining } = countBlocks(reply.text, cell.taskAt(at));
  return { blocks, defining_blocks: defining };
}

function promptRow(page: RunPage, { messages }: Question): Row {
  const text = canonicalJson(messages);
  return { prompt_sha256: sha256(text), page: page.page, messages: text };
}

/** The outcome for an answer without code; `not_run` if there was no answer, since nothing is known then. */
export const outcomeWithout = (status: ReplyStatus): Outcome =>
  status === 'not_asked' || excludedReplies.has(status) ? 'not_run' : 'no_code';

interface Judged {
  readonly extracted: Extracted | undefined;
  readonly driven: DrivenFacts;
  /** The outcome without a program. */
  readonly without: Outcome;
}

function verdictRows(
  page: RunPage,
  cell: PageCell,
  at: At,
  key: Row,
  { extracted, driven, without }: Judged,
): Pick<AnswerRows, 'verdicts' | 'executions' | 'driven'> {
  if (extracted === undefined) return { verdicts: [], executions: [], driven: [] };
  const simulated = page.run.model(page.model).simulated;
  const records = cell.verdicts(at);
  const outcomes = cell.outcomes(at);
  return {
    verdicts: cell.taskAt(at).suites.map(({ name }, index) => ({
      ...key,
      suite: name,
      execution_id: records[index]?.executionKey ?? null,
      outcome: records[index]?.outcome ?? outcomes?.[index]?.outcome ?? without,
      first_failing_case: records[index]?.firstFailingCase ?? null,
      simulated,
    })),
    executions: records.map((verdict) => executionRow(page, cell.taskAt(at), verdict)),
    driven: records.flatMap((verdict) => drivenRows(page, cell.taskAt(at), verdict, extracted.code ?? '', driven)),
  };
}

const executionRow = (page: RunPage, task: Task, verdict: VerdictRecord): Row => ({
  execution_id: verdict.executionKey,
  page: page.page,
  program_sha256: verdict.programSha256,
  suite: verdict.suite,
  outcome: verdict.outcome,
  first_failing_case: verdict.firstFailingCase,
  failing_input: failingInput(task, verdict),
  detail: verdict.detail,
  cpu_ms: verdict.cpuMs,
  wall_ms: verdict.wallMs,
  memory_bytes: verdict.memoryBytes,
  tier: verdict.tier,
  lane: verdict.lane,
  engine: verdict.engine,
  image_digest: verdict.imageDigest,
  limits: verdict.limits,
  reused: verdict.reused === true,
});

/**
 * Role of the answering model: the step it was asked for; `check` for a model's own attempt
 * while a variant set is made.
 */
function roleOf(page: RunPage, { answeringModel, key: { step } }: CallRecord): string {
  if (page.phase === 'variants') return step === 'generate' ? 'check' : step;
  return answeringModel === page.model ? 'study' : step;
}

function sentEffort(parametersSent: string): string | null {
  if (!parametersSent.includes('reasoningEffort')) return null;
  return (JSON.parse(parametersSent) as SentParameters).reasoningEffort ?? null;
}

function callRow(page: RunPage, cell: PageCell, call: CallRecord, programs: ReadonlyMap<number, string | null>): Row {
  const charge = call.charge;
  return {
    ...page.key(cell),
    loop: call.key.loop,
    step: call.key.step,
    sample: call.key.sample,
    page: page.page,
    call: call.intent,
    call_key: call.callKey,
    ask: call.key.ask,
    n: call.n,
    role: roleOf(page, call),
    answering_model: call.answeringModel,
    returned_model: call.returnedModel,
    fingerprint: call.fingerprint,
    parameters_sent: call.parametersSent,
    effort: sentEffort(call.parametersSent),
    status: call.status,
    used: call.used,
    origin: call.origin,
    failure: call.failure,
    input_tokens: charge?.inputTokens ?? null,
    cached_tokens: charge?.cachedTokens ?? null,
    output_tokens: charge?.outputTokens ?? null,
    reasoning_tokens: charge?.reasoningTokens ?? null,
    cache_write_tokens: charge?.cacheWriteTokens ?? null,
    input_audio_tokens: charge?.inputAudioTokens ?? null,
    output_audio_tokens: charge?.outputAudioTokens ?? null,
    usage_reported: charge?.usageReported ?? null,
    usd: charge?.usd ?? null,
    cost_basis: charge?.basis ?? 'estimated',
    price_date: charge?.priceDate ?? null,
    program: programs.get(call.epoch) ?? null,
    started_at: call.startedAtMs,
    latency_ms: call.latencyMs,
    simulated: page.run.model(call.answeringModel).simulated,
  };
}
