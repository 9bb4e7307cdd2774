/**
 * Interprets a failed call to an OpenAI-compatible endpoint: retry, or stop this model and name
 * the line of the spec to change.
 */
import { allowancesOf } from '../../domain/accounts/allowance.ts';
import { anyOf } from '../../domain/any-of.ts';
import { responsesNames, sentNames } from '../../schemas/spec/parameters.ts';
import { boundedText } from './bounded-text.ts';
import type { Bill } from './failures/bill.ts';
import { ProviderFault, type SpecField } from './provider.ts';

/** The parts of the client's `APIError` that matter here. */
export interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Headers | undefined;
  /** Of a failure after which something is billed; absent for a refusal. */
  readonly bill?: Bill | undefined;
}

const billFacts = ({ bill }: HttpFailure) => (bill === undefined ? {} : { maybeBilled: true, usage: bill.usage });

const retriedStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** Codes of a 429 that waiting does not fix. */
const exhausted: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

/**
 * @param n number of answers that were requested
 * @param where model and endpoint, for messages
 */
export function httpFault(failure: HttpFailure, n: number, where: string, nowMs: number): ProviderFault {
  const { status, code } = failure;
  const message = boundedText(failure.message);
  if (n > 1 && namesN(failure))
    return new ProviderFault('single', `${where}: ${message}`, { httpStatus: status, ...billFacts(failure) });
  const retried = (retriedStatuses.has(status) && !exhausted.has(code ?? '')) || status >= 500;
  if (!retried) return stopFault(failure, where);
  const retryAfterMs = retryAfterMsOf(failure.headers, nowMs);
  const allowances = allowancesOf((name) => failure.headers?.get(name), nowMs);
  const facts = {
    httpStatus: status,
    allowances,
    ...billFacts(failure),
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
  return new ProviderFault('retry', `${where}: ${message}`, facts);
}

/**
 * Endpoints name `n` in `param` or only in the message, as n, choices (llama.cpp) or candidates (Gemini). A false match
 * does no harm: when asked for one answer, the endpoint reports the actual problem.
 */
const namesN = ({ status, param, message }: HttpFailure): boolean =>
  (status === 400 || status === 422) &&
  (param === 'n' || (param === null && /\bn\b|\bchoices?\b|candidate/i.test(message)));

function stopFault(failure: HttpFailure, where: string): ProviderFault {
  const { advice, field } = remedyOf(failure);
  const message = `${where}: ${boundedText(failure.message).replace(/\.$/, '')}. ${advice}`;
  return new ProviderFault('stop', message, {
    httpStatus: failure.status,
    ...billFacts(failure),
    ...(field !== null && { specField: field }),
  });
}

const filterCodes: ReadonlySet<string> = new Set(['content_filter', 'content_policy_violation', 'invalid_prompt']);

/**
 * Whether this is a 400 for a prompt that a filter refused (Azure, OpenAI):
 * a result for this prompt, not an invalid request.
 */
export const isFiltered = ({ status, code }: HttpFailure): boolean => status === 400 && filterCodes.has(code ?? '');

/**
 * Codes and messages of a prompt that is too long: OpenAI, Azure, vLLM, llama.cpp, Anthropic,
 * Gemini, DeepSeek, Mistral.
 */
const tooLongCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'string_above_max_length',
  'exceed_context_size_error',
]);
const tooLongWords = new RegExp(
  anyOf(
    /maximum context length/,
    /context (?:window|size|length)/,
    /(?:prompt|input|message|request)s? (?:is|are|was) too (?:long|large)/,
    /input token count/,
    /too many (?:input )?tokens/,
  ),
  'i',
);
/** The answer's token limit exceeds the model's, which is so for every task. */
const answerTooLarge = new RegExp(
  anyOf(
    /max_(?:completion_|new_)?tokens\W{0,3} (?:is|are)? ?too (?:large|long|big|high)/,
    /at most \d+ (?:completion|output) tokens/,
  ),
  'i',
);

/** Whether a single prompt was refused for its length, which says nothing about other tasks. */
export const isTooLong = ({ status, code, param, message }: HttpFailure): boolean =>
  status === 413 ||
  ((status === 400 || status === 422) &&
    !(param ?? '').startsWith('max_') &&
    !answerTooLarge.test(message) &&
    (tooLongCodes.has(code ?? '') || tooLongWords.test(message)));

/**
 * Milliseconds to wait, from `retry-after-ms`, or `Retry-After` in seconds or as a date;
 * null if the endpoint sends neither.
 */
function retryAfterMsOf(headers: Headers | undefined, nowMs: number): number | null {
  const milliseconds = headers?.get('retry-after-ms')?.trim();
  if (milliseconds) return nonNegative(Number(milliseconds));
  const after = headers?.get('retry-after')?.trim();
  if (!after) return null;
  return nonNegative(Number.isNaN(Number(after)) ? Date.parse(after) - nowMs : Number(after) * 1000);
}

const nonNegative = (value: number): number | null => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : null);

interface Remedy {
  readonly advice: string;
  readonly field: SpecField | null;
}

/** Gemini refuses a key with a 400. */
const keyWords = /\bAPI key (?:not valid|not found|expired)/i;

function remedyOf(failure: HttpFailure): Remedy {
  const { status, code } = failure;
  if (status >= 300 && status < 400) return redirectRemedy(failure);
  if (status === 401 || status === 403 || (status === 400 && keyWords.test(failure.message)))
    return {
      advice: 'Check the variables that the provider names (`apiKeyEnv`, `headersEnv`), and what the key may use',
      field: { of: 'provider', path: ['apiKeyEnv'] },
    };
  if (status === 404 || code === 'model_not_found' || failure.param === 'model')
    return {
      advice: "Check the model's `model` and its provider's `baseUrl`",
      field: { of: 'model', path: ['model'] },
    };
  if (status === 402 || status === 429)
    return { advice: "The account's quota is used up: add credit, then resume", field: null };
  return (
    parameterRemedy(failure) ?? {
      advice: 'Check the request that the spec makes for this model',
      field: { of: 'model', path: [] },
    }
  );
}

function redirectRemedy({ headers }: HttpFailure): Remedy {
  const target = headers?.get('location')?.split('?')[0];
  return {
    advice:
      `The endpoint redirects${target ? ` to ${boundedText(target)}` : ''}, and keys are not sent to redirects: give ` +
      "the API's own address as `baseUrl`",
    field: { of: 'provider', path: ['baseUrl'] },
  };
}

/** Of Chat Completions first: only requests of the Responses API have its other names. */
const allNames = [...Object.entries(sentNames), ...Object.entries(responsesNames)];

/** Whether a message that has the name means the parameter: `stop` and `seed` are words of other sentences too. */
const isOwnWord = (sent: string): boolean => sent.includes('_') || sent === 'temperature';

/**
 * Endpoints name the parameter in `param` or only in the message, which is searched in the order of `sentNames`: OpenAI
 * names the replacement next to the refused `max_tokens`, and where Anthropic takes only one of `top_p` and
 * `temperature`, the temperature is what a study sets.
 */
function parameterRemedy({ param, message }: HttpFailure): Remedy | undefined {
  const named =
    allNames.find(([, sent]) => sent === param) ??
    allNames.find(([, sent]) => isOwnWord(sent) && new RegExp(`\\b${sent}\\b`).test(message));
  if (named === undefined) return undefined;
  const [inSpec, sent] = named;
  const instead = sent === 'max_tokens' ? ', or set `parameters.maxCompletionTokens` instead' : '';
  return {
    advice: `Set \`parameters.${inSpec}: null\` for this model in the spec, so that \`${sent}\` is not sent${instead}`,
    field: { of: 'model', path: ['parameters', inSpec] },
  };
}
