/** Requests that a simulated model refuses however often they are repeated. */
import type { ChatBody } from './chat-body.ts';
import type { SimulatedProfile } from './profile.ts';

/** An HTTP error in the shape that endpoints use. */
export interface HttpError {
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 429 | 500;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly message: string;
}

const closures: Readonly<Record<NonNullable<SimulatedProfile['closed']>, HttpError>> = {
  unauthorized: error(401, 'invalid_api_key', 'Incorrect API key provided.'),
  forbidden: error(403, null, 'This key may not use this model.'),
  notFound: error(404, 'model_not_found', 'The model does not exist or you do not have access to it.'),
  quota: error(
    429,
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ),
};

function error(
  status: HttpError['status'],
  code: string | null,
  message: string,
  param: string | null = null,
): HttpError {
  return { status, type: 'invalid_request_error', code, param, message };
}

const tooLong = (most: number, got: number): HttpError =>
  error(
    400,
    'context_length_exceeded',
    `This model's maximum context length is ${most} characters. However, your messages have ${got}.`,
  );

/** The error with which a profile refuses a request; null if it accepts the request. */
export function refusalOf(
  { closed, refuses, contextCharacters = Infinity }: SimulatedProfile,
  body: ChatBody,
): HttpError | null {
  if (closed !== null) return closures[closed];
  const characters = body.messages.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > contextCharacters) return tooLong(contextCharacters, characters);
  const param = refuses.find((name) => body[name] != null);
  return param === undefined
    ? null
    : error(400, 'unsupported_parameter', `Unsupported parameter: '${param}' is not supported with this model.`, param);
}
