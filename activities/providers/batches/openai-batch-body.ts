/** What OpenAI's Batch API says of a batch, and of each request in it. */
import { z } from 'zod';
import type { EndpointBatch, FileLine } from './batch-endpoint.ts';
import type { Bill } from '../failures/bill.ts';
import { ProviderFault } from '../provider.ts';
import { sideText } from '../../../schemas/lenient.ts';
import { faultsText } from '../../../domain/spec/faults-text.ts';

/** Under these names a batch carries what it is found by. */
export const metadataKeys = { run: 'evenkeel_run', uuid: 'evenkeel_batch' } as const;

const counts = z.looseObject({ total: z.number(), completed: z.number(), failed: z.number() });
const batchSchema = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  created_at: z.number(),
  metadata: z.record(z.string(), z.string()).nullish(),
  request_counts: counts.nullish().catch(null),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z
    .looseObject({
      data: z.array(z.looseObject({ code: z.string().nullish(), message: z.string().nullish() })).nullish(),
    })
    .nullish(),
});

const ends: ReadonlySet<string> = new Set(['completed', 'expired', 'cancelled', 'failed']);
const crowdedCodes: ReadonlySet<string> = new Set([
  'token_limit_exceeded',
  'request_limit_exceeded',
  'rate_limit_exceeded',
  'batch_limit_exceeded',
]);

export function batchOf(body: unknown, where: string): EndpointBatch {
  const checked = batchSchema.safeParse(body);
  if (!checked.success)
    throw new ProviderFault('retry', `${where}: the answer is not a batch: ${faultsText(checked.error)}`);
  const { id, status, created_at: createdS, metadata, request_counts: done, errors, ...rest } = checked.data;
  const faults = errors?.data ?? [];
  return {
    ...{ id, uuid: metadata?.[metadataKeys.uuid] ?? null, createdMs: createdS * 1000 },
    state: ends.has(status) ? (status as Exclude<EndpointBatch['state'], 'open'>) : 'open',
    ...{ requests: done?.total ?? 0, answered: done?.completed ?? 0, failed: done?.failed ?? 0 },
    ...{ outputFile: rest.output_file_id || null, errorFile: rest.error_file_id || null },
    fault:
      status === 'failed'
        ? {
            message: faults.map(({ message, code }) => message ?? code ?? '').join('; ') || 'no reason given',
            isCrowded: faults.some(({ code }) => crowdedCodes.has(code ?? '')),
          }
        : null,
  };
}

const okStatus = 200;
const undoneCodes: ReadonlySet<string> = new Set(['batch_cancelled', 'batch_expired']);

/** A status that cannot be read does not make an answer a failure: whether it is one, its body says. */
const resultSchema = z.looseObject({
  custom_id: z.string(),
  response: z
    .looseObject({
      status_code: z.coerce.number().int().min(100).catch(okStatus),
      request_id: sideText,
      body: z.unknown(),
    })
    .nullish(),
  error: z.looseObject({ code: sideText, message: sideText }).nullish().catch(null),
});
const errorSchema = z.looseObject({ error: z.looseObject({ message: z.string() }) });

/** @param billOf what is billed for a failure with this body */
export function resultOf(line: string, billOf: (body: unknown) => Bill | undefined): FileLine {
  const value = parsed(line);
  if (value === undefined) return 'unreadable';
  const checked = resultSchema.safeParse(value);
  if (!checked.success) return undefined;
  const { custom_id: customId, response, error } = checked.data;
  if (response == null && undoneCodes.has(error?.code ?? '')) return { customId, kind: 'undone' };
  if (response == null)
    return { customId, kind: 'failed', reason: `${codeText(error?.code)}: ${error?.message ?? ''}` };
  const { status_code: status, request_id: requestId, body } = response;
  if (status >= 200 && status < 300) return { customId, kind: 'answered', body, requestId: requestId ?? '' };
  const said = errorSchema.safeParse(body).data?.error.message ?? '';
  return { customId, kind: 'failed', reason: `HTTP ${status} in a batch: ${said}`, bill: billOf(body) };
}

/** `batch_line_lost` is `line lost in a batch`. */
const codeText = (code: string | null | undefined): string =>
  `${(code ?? 'no result').replace(/^batch_/, '').replaceAll('_', ' ')} in a batch`;

/** Undefined if the line is not JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
