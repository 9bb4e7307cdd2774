/** Asks a model for one token before a run is created: does the endpoint know it, and may this key use it? */
import { anyOf } from '../../domain/any-of.ts';
import type { ApiName } from '../../schemas/spec/account.ts';
import { refusalIn } from './openai-body.ts';
import { httpFault } from './openai-fault.ts';
import { type Endpoint, pathsOfApi, type ProbedPaths, probing } from './probe.ts';
import type { SpecField } from './provider.ts';

/** Why a model cannot be asked, with the remedy. */
export interface RefusedModel {
  readonly rule: string;
  /** Null if no change of the spec would help. */
  readonly field: SpecField | null;
}

/**
 * Null if the model can be asked, and for failures that are temporary or only about the parameters of this question.
 * An answer costs at most one token and its prompt's, or 16 by the Responses API.
 */
export async function probeModel(
  endpoint: Endpoint,
  paths: ProbedPaths,
  { model, api }: { readonly model: string; readonly api: ApiName },
  limitMs: number,
): Promise<RefusedModel | null> {
  const body = JSON.stringify({ model, ...questions[api] });
  const { ask: path } = pathsOfApi(paths, api);
  try {
    const { status, text } = await probing(endpoint, limitMs, (ask) => ask(path, body));
    if (status < 400) return null;
    const refused = refusalIn(text);
    const isUnknown = namesUnknownModel(refused);
    const isOfRequest = (status === 400 || status === 422) && !isUnknown;
    if (isOfRequest) return null;
    const failure = { status, headers: undefined, ...refused, ...(isUnknown && { code: 'model_not_found' }) };
    const fault = httpFault(failure, 1, `${model} at ${endpoint.baseUrl}`, Date.now());
    return fault.kind === 'stop' ? { rule: `HTTP ${status}: ${fault.message}`, field: fault.specField } : null;
  } catch (error) {
    return { rule: (error as Error).message, field: { of: 'provider', path: ['baseUrl'] } };
  }
}

/** The Responses API refuses limits below 16. */
const questions = {
  chat: { messages: [{ role: 'user', content: '1' }], max_tokens: 1 },
  responses: { input: '1', max_output_tokens: 16, store: false },
} as const satisfies Record<ApiName, object>;

const unknownModel = new RegExp(
  anyOf(
    /(?:unknown|invalid|no such|not a valid) model/,
    /model\b.*\b(?:not|no longer) (?:\w+ )?(?:found|exist|available|supported|valid)/,
  ),
  'i',
);

/** OpenAI, vLLM, Ollama, LiteLLM, OpenRouter. */
const namesUnknownModel = ({ code, param, message }: ReturnType<typeof refusalIn>): boolean =>
  code === 'model_not_found' || param === 'model' || unknownModel.test(message);
