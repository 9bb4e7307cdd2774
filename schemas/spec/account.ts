/** Accounts at endpoints, and how much they may be asked. */
import { z } from 'zod';

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself');
const urlRule = 'an http or https URL, up to and with the version';
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^\s/]/, urlRule)
  .regex(/^(?!https?:\/\/[^/]*@)/, 'no credentials in URLs: name an environment variable in apiKeyEnv')
  .regex(/^[^?#]*$/, 'a URL without ? and #: what follows the version is added to it')
  .refine((url) => URL.canParse(url), urlRule);

const limits = z.strictObject({
  requestsPerMinute: z.number().positive().optional().describe('The most requests in any minute.'),
  tokensPerMinute: z.number().positive().optional().describe('The most tokens, asked and answered, in any minute.'),
  concurrency: z.int().min(1).max(1024).optional().describe('The most calls in flight.'),
  maxClosedMs: z
    .int()
    .min(1000)
    .max(24 * 3_600_000)
    .optional()
    .describe('The longest that Retry-After may keep the account closed, milliseconds. Left out: 900000, a quarter of an hour.'),
});

export const openaiAccount = z.strictObject({
  kind: z.literal('openai').describe('Any endpoint that speaks OpenAI’s chat completions.'),
  baseUrl: httpUrl.describe('Up to and with the version: https://api.openai.com/v1. Without credentials.'),
  apiKeyEnv: variableName
    .optional()
    .describe('Name of the environment variable that holds the key, never the key itself. Left out: no Authorization header.'),
  headersEnv: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/, 'a header’s name: letters, digits, hyphens'), variableName)
    .optional()
    .describe('Further headers: header name to the name of the variable that holds its value.'),
  timeoutMs: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(300_000)
    .describe('From sending a request to the last byte of its answer, milliseconds.'),
  probe: z
    .boolean()
    .optional()
    .describe(
      'False: `run` and `resume` do not look whether the endpoint answers and takes the key before they make a run. Default: they do.',
    ),
  maxReplyBytes: z
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe('The longest answer that is taken, bytes. A longer one is asked for three times; the task is then excluded.'),
  limits: limits
    .prefault({})
    .describe('Hold for all runs and processes of this user on the account together. Nothing given: 32 calls at a time for each run.'),
});
export const simulatorAccount = openaiAccount.extend({
  kind: z.literal('simulator').describe('An `evenkeel simulate` server: OpenAI-compatible, and its models are marked as simulated.'),
});
