/**
 * A simulated model: it sees only a request's body and answers according to its profile. At temperature 0 the answer
 * depends only on profile and messages; above 0 also on temperature, seed and choice. It never depends on the name.
 */
import { canonicalJson, sha256 } from '../domain/ids.ts';
import { countTokens } from './chat-body.ts';
import type { ChatBody } from './chat-body.ts';
import { describeReply, labelReply, proposeReply, shortenReply } from './description-replies.ts';
import { drawsFor, messagesHashOf } from './draws.ts';
import type { Draws } from './draws.ts';
import type { SimulatedProfile } from './profile.ts';
import { readQuestion } from './question.ts';
import { codeReply, judgeReply, pseudocodeReply, summaryReply, translationReply, unravelReply } from './replies.ts';
import { type Thoughts, thoughtsOf } from './reasoning.ts';
import { rewriteReply } from './rewrite-reply.ts';
import type { Reply } from './replies.ts';
import { taskIndexOf } from './task-index.ts';
import type { SimulatedTask, TaskIndex } from './task-index.ts';

export type { SimulatedTask } from './task-index.ts';

export interface SimulatedChoice {
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'content_filter';
  /** The refusal's text, with an empty `text`; null for any other reply. */
  readonly refusal: string | null;
  /** Thoughts before the answer; null if there are none, or the model does not show them. */
  readonly reasoning: string | null;
  /** Natural logarithms, one per token of `text`; null if not requested or not supported by the profile. */
  readonly logprobs: readonly number[] | null;
}

export interface SimulatedAnswer {
  readonly model: string;
  readonly fingerprint: string;
  readonly choices: readonly SimulatedChoice[];
  readonly inputTokens: number;
  /** With those of the thoughts. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export interface SimulatedModel {
  readonly name: string;
  readonly profile: SimulatedProfile;
  answer(body: ChatBody): SimulatedAnswer;
}

/** Twelve hex digits that name a profile. */
export const profileHashOf = (profile: SimulatedProfile): string => sha256(canonicalJson(profile)).slice(0, 12);

const fingerprintStart = 'simulated-';

/** Whether a simulated model gave the answer with this fingerprint. */
export const isOfSimulatedModel = (fingerprint: string | null): boolean =>
  fingerprint?.startsWith(fingerprintStart) === true;

export function createSimulatedModel(options: {
  readonly name: string;
  readonly profile: SimulatedProfile;
  readonly tasks: readonly SimulatedTask[];
}): SimulatedModel {
  const { name, profile } = options;
  const fingerprint = `${fingerprintStart}${profileHashOf(profile)}`;

  function answer(body: ChatBody): SimulatedAnswer {
    const hash = messagesHashOf(body);
    const text = body.messages.flatMap(({ role, content }) => (role === 'user' ? content : [])).join('\n');
    const draws = Array.from({ length: choicesGiven(profile, body.n ?? 1) }, (_, choice) =>
      drawsFor(profile.seed, body, hash, choice),
    );
    const thoughts = thoughtsOf(profile, body.reasoning_effort);
    const choices = draws.map((draw) => choose(thoughts, taskIndexOf(options.tasks), text, body, draw));
    const reasoningTokens = choices.length * Math.min(thoughts.tokens, limitOf(body));
    const { wrongModel, otherFingerprint } = profile.faults;
    const version = draws[0]?.prompt() ?? 1;
    const misnamed = version < wrongModel;
    const otherwise = version >= 1 - otherFingerprint;
    return {
      model: misnamed ? `${name}-fallback` : name,
      fingerprint: otherwise ? `${fingerprint}-b` : fingerprint,
      choices,
      inputTokens: body.messages.reduce((sum, { content }) => sum + countTokens(content), 0),
      outputTokens: choices.reduce((sum, choice) => sum + countTokens(choice.text), reasoningTokens),
      reasoningTokens,
    };
  }

  return { name, profile, answer };
}

function choicesGiven({ choices }: SimulatedProfile, asked: number): number {
  if (asked === 1 || choices === undefined) return asked;
  return choices === 'fewer' ? Math.ceil(asked / 2) : asked + 1;
}

/** Tokens of one answer with its thoughts. */
const limitOf = ({ max_completion_tokens: completion, max_tokens: most }: ChatBody): number =>
  completion ?? most ?? Number.POSITIVE_INFINITY;

function choose(thoughts: Thoughts, index: TaskIndex, text: string, body: ChatBody, draws: Draws): SimulatedChoice {
  const { profile, text: reasoning } = thoughts;
  const mishap = draws.sample();
  const { empty, refusal, truncated, proseOnly, contentFilter } = profile.faults;
  const choice = (said: string): SimulatedChoice => ({ ...plainChoice, text: said, reasoning });
  if (mishap < empty) return choice('');
  if (mishap < empty + refusal) return { ...choice(''), refusal: "I'm sorry, but I can't help with that request." };
  const reply = mishap < empty + refusal + proseOnly ? chatter : replyTo(profile, index, text, draws);
  if (mishap >= 1 - truncated - contentFilter && mishap < 1 - truncated)
    return { ...choice(''), finishReason: 'content_filter' };
  const cut = mishap >= 1 - truncated ? Math.floor(reply.text.length / 2) : reply.text.length;
  const limit = Math.max(0, limitOf(body) - thoughts.tokens) * 4;
  const kept = reply.text.slice(0, Math.min(cut, limit));
  const logprobs =
    body.logprobs === true && profile.logprobs ? logProbabilities(countTokens(kept), reply.confidence, draws) : null;
  return { ...choice(kept), finishReason: kept.length < reply.text.length ? 'length' : 'stop', logprobs };
}

function replyTo(profile: SimulatedProfile, index: TaskIndex, text: string, draws: Draws): Reply {
  const question = readQuestion(text);
  if (question.kind === 'describe') return describeReply(profile, question.task, question.solution, draws);
  if (question.kind === 'shorten') return shortenReply(profile, question.text, question.limit, draws);
  if (question.kind === 'label') return labelReply(profile, question.themes, question.text, draws);
  if (question.kind === 'propose') return proposeReply(question.text);
  if (question.kind === 'rewrite') return rewriteReply(profile, question.passages, question.instruction, draws);
  if (question.kind === 'translate') return translationReply(profile, index, text, question.to, draws);
  if (question.kind === 'judge') return judgeReply(profile, question.first, question.second, draws);
  if (question.kind === 'pseudocode') return pseudocodeReply(index, text, draws);
  if (question.kind === 'unravel') return unravelReply(profile, index, question.pseudocode, draws);
  if (question.kind === 'summarize') return summaryReply(profile, index, question.code, draws);
  return codeReply(profile, index, text, draws);
}

const chatter: Reply = {
  text: 'That is an interesting question, and there are several ways to approach it.',
  confidence: 0.3,
};

const plainChoice: SimulatedChoice = { text: '', finishReason: 'stop', refusal: null, reasoning: null, logprobs: null };

/** Exponentially distributed surprisal per token, mean 0.02 nats for a sure model and 0.32 for one that guesses. */
function logProbabilities(count: number, confidence: number, draws: Draws): number[] {
  const mean = 0.02 + 0.3 * (1 - confidence);
  return Array.from({ length: count }, () => Math.round(1e6 * mean * Math.log(1 - draws.sample())) / 1e6);
}
