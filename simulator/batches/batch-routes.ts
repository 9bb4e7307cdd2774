/** The routes of the Batch API: `/v1/files` and `/v1/batches`. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { z } from 'zod';
import { errorBody } from '../http/chat-completion.ts';
import { cutOff, firstHalf } from '../http/fault-response.ts';
import type { BatchDesk } from './batch-desk.ts';

type Bound = { Bindings: HttpBindings };

const createSchema = z.object({
  input_file_id: z.string(),
  endpoint: z.string(),
  completion_window: z.literal('24h'),
  metadata: z.record(z.string(), z.string().max(512)).nullish(),
});

/** @param refusal the answer to a request without the right key; null if it is let in */
export function batchRoutes(desk: BatchDesk, refusal: (c: Context) => Response | null): Hono<Bound> {
  const app = new Hono<Bound>();
  app.use('*', async (c, next) => refusal(c) ?? (await next()));

  app.post('/files', async (c) => {
    const { file, purpose } = await c.req.parseBody();
    if (!(file instanceof File) || typeof purpose !== 'string') return invalid(c, "'file' and 'purpose' are required.");
    const { body, lost } = desk.upload(file.name, purpose, await file.text());
    return lost ? serverError(c) : c.json(body);
  });
  app.get('/files', (c) => c.json({ object: 'list', data: desk.files(c.req.query('purpose')), has_more: false }));
  app.get('/files/:id/content', (c) => {
    const found = desk.content(c.req.param('id'));
    if (found === null) return notFound(c, 'file');
    if (found.cut === 'broken') return cutOff(found.text, 'application/octet-stream', c.env.outgoing);
    return c.body(found.cut === 'short' ? firstHalf(found.text) : found.text, 200, {
      'content-type': 'application/octet-stream',
    });
  });

  app.post('/batches', async (c) => {
    const order = createSchema.safeParse(await c.req.json().catch(() => null));
    if (!order.success) return invalid(c, order.error.issues[0]?.message ?? 'not JSON');
    const { input_file_id: file, endpoint, metadata } = order.data;
    const done = await desk.create(file, endpoint, metadata ?? null);
    if (done === null) return notFound(c, 'file');
    return done.lost ? serverError(c) : c.json(done.body);
  });
  app.get('/batches', async (c) => {
    const limit = Math.min(100, Number(c.req.query('limit') ?? 20));
    return c.json({ object: 'list', ...(await desk.batches(limit, c.req.query('after'))) });
  });
  app.get('/batches/:id', async (c) => {
    const body = await desk.batch(c.req.param('id'));
    if (body === 'busy') return busy(c);
    return body === null ? notFound(c, 'batch') : c.json(body);
  });
  app.post('/batches/:id/cancel', async (c) => {
    const body = await desk.cancel(c.req.param('id'));
    return body === null ? notFound(c, 'batch') : c.json(body);
  });
  return app;
}

const invalid = (c: Context, message: string): Response =>
  c.json(errorBody(message, { type: 'invalid_request_error', code: 'invalid_value' }), 400);
const notFound = (c: Context, what: string): Response =>
  c.json(errorBody(`No such ${what}.`, { type: 'invalid_request_error', code: 'not_found' }), 404);
const serverError = (c: Context): Response =>
  c.json(errorBody('The server had an error while processing your request.', { type: 'server_error' }), 500);
const busy = (c: Context): Response =>
  c.json(errorBody('Rate limit reached.', { type: 'requests', code: 'rate_limit_exceeded' }), 429, {
    'retry-after': '60',
  });
