/** Where answers come from: accounts at endpoints with their limits, and the names of the built-in providers. */
import { z } from 'zod';
import { isOwnName, ownNameRule } from './inherited.ts';

/** Providers without an account: a model names them directly. */
export const builtInNames = ['simulated', 'replay'] as const;
export type BuiltInName = (typeof builtInNames)[number];

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not the key itself')
  .refine(isOwnName, ownNameRule);
const urlRule = 'must be an http or https URL that ends with the version, such as https://api.openai.com/v1';
const visibleRule = 'must not contain white space or control characters';
/** Schemes are case-insensitive (RFC 3986, 3.1): one endpoint has one spelling. */
export function withPlainScheme(url: string): string {
  return url.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
}

// Letters in classes, since a pattern of a JSON schema has no flags.
const httpUrl = z
  .string()
  .regex(/^\S*$/, visibleRule)
  .refine((url) => !/(?!\s)[\p{Cc}\p{Cf}]/u.test(url), visibleRule)
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/]/, urlRule)
  .regex(/^(?![^:/]+:\/\/[^/]*@)/, 'must not contain credentials: name an environment variable in apiKeyEnv')
  .regex(/^[^?#]*$/, 'must not contain ? or #: evenkeel appends the path after the version')
  .refine((url) => isPort(portOf(url)), { error: ({ input }) => portRule(portOf(String(input))) })
  .refine((url) => !isPort(portOf(url)) || URL.canParse(url), urlRule)
  .overwrite(withPlainScheme);

/** The digits after the last colon of the authority; null without any. */
const portOf = (url: string): string | null => /^[^:/]+:\/\/[^/@]*:(\d+)(?:\/|$)/.exec(url)?.[1] ?? null;
const isPort = (port: string | null): boolean => port === null || (Number(port) >= 1 && Number(port) <= 65_535);
const portRule = (port: string | null): string => `has port ${port}; a port is a whole number from 1 to 65535`;

const limits = z.strictObject({
  requestsPerMinute: z.number().positive().optional().describe('The most requests in any minute.'),
  tokensPerMinute: z.number().positive().optional().describe('The most tokens, input plus output, in any minute.'),
  inputTokensPerMinute: z.number().positive().optional().describe('The most input tokens in any minute.'),
  outputTokensPerMinute: z
    .number()
    .positive()
    .optional()
    .describe('The most output tokens in any minute, thoughts included.'),
  requestsPerDay: z.number().positive().optional().describe('The most requests within any 24 hours.'),
  tokensPerDay: z.number().positive().optional().describe('The most tokens, input plus output, within any 24 hours.'),
  inputTokensPerDay: z.number().positive().optional().describe('The most input tokens within any 24 hours.'),
  outputTokensPerDay: z
    .number()
    .positive()
    .optional()
    .describe('The most output tokens within any 24 hours, thoughts included.'),
  concurrency: z.int().min(1).max(1024).optional().describe('The most calls in flight.'),
  maxClosedMs: z
    .int()
    .min(1000)
    .max(24 * 3_600_000)
    .optional()
    .describe(
      'Longest pause that Retry-After may impose on the account, milliseconds. Default: 900000, a quarter of an hour.',
    ),
});

export const apiNames = ['chat', 'responses'] as const;
export type ApiName = (typeof apiNames)[number];

const openaiAccount = z.strictObject({
  kind: z.literal('openai').describe('Any endpoint that speaks OpenAI’s chat completions or Responses API.'),
  baseUrl: httpUrl.describe('URL up to and including the version: https://api.openai.com/v1. Without credentials.'),
  apiKeyEnv: variableName
    .optional()
    .describe(
      'Name of the environment variable that holds the key, never the key itself. Default: no Authorization header.',
    ),
  headersEnv: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/, 'must be the name of a header: letters, digits, hyphens'),
      variableName,
    )
    .optional()
    .describe('Further headers: each header’s name, with the name of the variable that holds its value.'),
  api: z
    .enum(apiNames)
    .optional()
    .describe('chat: Chat Completions. responses: OpenAI’s Responses API; a model may have its own. Default: chat.'),
  stream: z
    .boolean()
    .optional()
    .describe(
      'True: answers are requested as a stream of events and put together, for endpoints that give long answers ' +
        'only so. Default: false.',
    ),
  timeoutMs: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(300_000)
    .describe('Time limit from sending a request to the last byte of its answer, milliseconds.'),
  probe: z
    .union([z.boolean(), z.literal('call')])
    .optional()
    .describe(
      'False: `run` and `resume` start without checking that the endpoint answers, accepts the key and lists the ' +
        'models. call: they also ask each model for one token. Default: they check, and ask only where that is free.',
    ),
  maxReplyBytes: z
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe('Longest accepted answer, bytes. After three longer answers to a question it counts as not judged.'),
  limits: limits
    .prefault({})
    .describe(
      'Limits shared by all of this user’s runs and processes on the account. Default: ' +
        '8 calls at a time at first, soon up to 32 for each worker process.',
    ),
});
const simulatorAccount = openaiAccount.extend({
  kind: z
    .literal('simulator')
    .describe('An `evenkeel simulate` server: OpenAI-compatible, and its models are marked as simulated.'),
});

export const accountSchemas = [openaiAccount, simulatorAccount] as const;
export type AccountKind = z.infer<(typeof accountSchemas)[number]>['kind'];
