/**
 * Counts the answers that a run will take over from other runs, by asking every planned question of their ledgers:
 * each answer that is found leads to the next question. Only for models at endpoints, since others cost nothing.
 */
import { chatRequest } from '../../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { apiOf } from '../../domain/spec/provider-facts.ts';
import { replyStatusOf } from '../../domain/reply-status.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Cell, Page } from '../../schemas/plan.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { StepName } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import type { Answer, At, CellState, Question } from '../../studies/cell-state.ts';
import { studyOf } from '../../studies/index.ts';
import { callKey } from '../calls/call-key.ts';
import { strictEndpoint } from '../calls/call.ts';
import { ownParameters } from '../calls/models.ts';
import { createAccountProvider } from '../providers/index.ts';
import type { AnsweredStep } from '../storage/ledger/ledger-counts.ts';

export interface ReusePlan {
  readonly spec: Spec;
  readonly pages: readonly Page[];
  readonly tasks: ReadonlyMap<string, readonly Task[]>;
  /** The reply that another run has to a call, if this run has none. */
  find(callKey: string): Promise<ChatReply | undefined>;
}

type Identities = ReadonlyMap<string, string>;

export async function reusedAnswers(plan: ReusePlan): Promise<AnsweredStep[]> {
  const identities = await endpointIdentities(plan.spec);
  const asked = new Set<string>();
  const steps: AnsweredStep[] = [];
  for (const page of plan.pages) {
    const counted = new Map<string, { step: StepName; answeringModel: string; keys: Set<string>; fresh: number }>();
    for (const found of await answersOnPage(plan, identities, page)) {
      const name = JSON.stringify([found.step, found.answeringModel]);
      const { step, answeringModel } = found;
      const one = counted.get(name) ?? { step, answeringModel, keys: new Set<string>(), fresh: 0 };
      one.keys.add(found.key);
      if (!asked.has(found.key)) one.fresh += 1;
      asked.add(found.key);
      counted.set(name, one);
    }
    for (const { step, answeringModel, keys, fresh } of counted.values())
      steps.push({
        ...{ page: page.page, step, answeringModel, answers: keys.size, samples: fresh, tokens: 0, usd: 0 },
      });
  }
  return steps;
}

async function answersOnPage(plan: ReusePlan, identities: Identities, page: Page): Promise<FoundAnswer[]> {
  const found: FoundAnswer[] = [];
  for (const cell of page.cells) found.push(...(await answersOf(plan, identities, page, cell)));
  return found;
}

/** By model id. */
async function endpointIdentities(spec: Spec): Promise<Identities> {
  const found = spec.models.map(async (model) => {
    const account = spec.providers[model.provider];
    if (account === undefined) return [];
    const opened = createAccountProvider({ ...account, api: apiOf(spec, model) });
    await opened.close();
    return [[model.id, opened.endpointIdentity] as const];
  });
  return new Map((await Promise.all(found)).flat());
}

interface FoundAnswer {
  readonly step: StepName;
  readonly answeringModel: string;
  readonly key: string;
}

/**
 * Asks from the first loop, ask and sample on, until the other runs have no answer. Samples do not depend on each
 * other: one that is missing, as a damaged reply is, may be followed by others.
 */
async function answersOf(plan: ReusePlan, identities: Identities, page: Page, cell: Cell): Promise<FoundAnswer[]> {
  const study = plan.spec.studies.find(({ name }) => name === page.study) as SpecStudy;
  const steps = samplesOfSteps(study);
  const answers = new Map<string, Answer>();
  const state = plannedState(plan, study, page, cell, answers);
  if (state === null) return [];
  const found: FoundAnswer[] = [];
  const take = async (at: At): Promise<boolean> => {
    const asked = askedAt(plan, identities, study, page, state, at);
    const reply = asked === null ? undefined : await plan.find(asked.key);
    if (asked === null || reply === undefined) return false;
    answers.set(placeOf(at), { reply, status: replyStatusOf(reply) });
    found.push({ step: at.step, ...asked });
    return true;
  };
  const samplesAt = async (step: StepName, most: number, loop: number, ask: number): Promise<number> => {
    const before = found.length;
    for (let sample = 0; (await take({ step, loop, ask, sample })) || sample + 1 < most; sample += 1);
    return found.length - before;
  };
  const inLoop = async (loop: number): Promise<boolean> => {
    const before = found.length;
    for (const [step, most] of steps) for (let ask = 0; (await samplesAt(step, most, loop, ask)) > 0; ask += 1);
    return found.length > before;
  };
  for (let loop = 1; await inLoop(loop); loop += 1);
  return found;
}

/** The steps of a study, with the samples that one of their questions may need. */
function samplesOfSteps(study: SpecStudy): ReadonlyMap<StepName, number> {
  const most = new Map<StepName, number>();
  for (const { step, calls, inSeries } of studyOf(study).calls(study)) {
    const samples = Math.ceil(calls.maximum / Math.max(1, inSeries.maximum));
    most.set(step, Math.max(samples, most.get(step) ?? 1));
  }
  return most;
}

const placeOf = ({ step, loop, ask, sample }: At): string => `${step}/${loop}/${ask}/${sample}`;

/** The cell with the answers found so far. Null if its prompt is written by a model, so that nobody knows it yet. */
function plannedState(
  plan: ReusePlan,
  study: SpecStudy,
  page: Page,
  cell: Cell,
  answers: ReadonlyMap<string, Answer>,
): CellState | null {
  const taskIn = (benchmark: string): Task =>
    plan.tasks.get(benchmark)?.find(({ taskId }) => taskId === cell.taskId) as Task;
  const task = taskIn(study.benchmark);
  const variants = studyOf(study).variants;
  const isMade = cell.variant !== 'original' && variants !== undefined && page.phase === undefined;
  if (isMade && variants.model(study) !== null) return null;
  const records = isMade ? variants.byRules(study, task) : [];
  return {
    cell,
    task,
    variant: records.find(({ variant }) => variant === cell.variant) ?? null,
    taskIn,
    answer: (at) => answers.get(placeOf(at)),
    outcomes: () => undefined,
    sibling: () => {
      throw new Error('a plan reads no other cell');
    },
  };
}

/** Null if the answers found so far do not lead to this question, or no endpoint would be asked. */
function askedAt(
  { spec }: ReusePlan,
  identities: Identities,
  study: SpecStudy,
  page: Page,
  state: CellState,
  at: At,
): Omit<FoundAnswer, 'step'> | null {
  const question = questionAt(study, state, at);
  if (question === null) return null;
  const answeringModel = question.asked === 'study' ? page.model : question.asked.model;
  const model = spec.models.find(({ id }) => id === answeringModel);
  const identity = identities.get(answeringModel);
  if (model === undefined || identity === undefined) return null;
  const { messages, parameters, draw, sample = at.sample } = question;
  const request = chatRequest(model.model ?? model.id, messages, parameters, ownParameters(spec, model));
  const hash = sha256(canonicalJson(request));
  const key = callKey(strictEndpoint(model, identity), hash, { ...at, sample }, state.cell.repetition, draw);
  return { answeringModel, key };
}

/** A study's question throws where an answer that it quotes is missing. */
function questionAt(study: SpecStudy, state: CellState, at: At): Question | null {
  try {
    return studyOf(study).question(study, state, at);
  } catch {
    return null;
  }
}
