/**
 * Forms in which a study's request may have been sent, so that the line of a recorder, which sees only what was sent,
 * is found.
 */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { ChatRequest, SentParameters } from '../../schemas/chat.ts';

/**
 * SHA-256 of the canonical request without the study's limit, which is not sent to a model that thinks; and of the
 * forms of the Responses API, which has no seed and one name for both limits.
 */
export function requestsAsSent({ n: _several, ...request }: ChatRequest): string[] {
  const { maxTokens, maxCompletionTokens, ...unlimited } = request.parameters;
  const { seed: _seed, ...unseeded } = unlimited;
  const limit = maxCompletionTokens ?? maxTokens;
  const forms: SentParameters[] = [unlimited, unseeded];
  if (limit !== undefined) forms.unshift({ ...unseeded, maxTokens: limit });
  return forms.map((parameters) => sha256(canonicalJson({ ...request, parameters })));
}
