/** Simulated models behind an OpenAI-compatible HTTP endpoint on this machine, with the faults of a real one. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ZodError } from 'zod';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import { chatBodySchema } from './chat-body.ts';
import type { ChatBody } from './chat-body.ts';
import { chatCompletion, errorBody } from './http/chat-completion.ts';
import { createFaultSource, latencyOf } from './faults.ts';
import type { FaultSource } from './faults.ts';
import { completionEvents, responseEvents } from './http/event-stream.ts';
import { faultResponse } from './http/fault-response.ts';
import { serveLocally } from './local-server.ts';
import { createSimulatedModel } from './model.ts';
import type { SimulatedAnswer, SimulatedModel, SimulatedTask } from './model.ts';
import { onceKnown } from './not-known-yet.ts';
import type { SimulatedProfile } from './profile.ts';
import { refusalOf } from './refusals.ts';
import { chatBodyOf, responseBodySchema, responseOf } from './http/response-body.ts';
import { openRequestLog } from './request-log.ts';
import type { RequestLog, RequestLogEntry } from './request-log.ts';

export interface SimulatorOptions {
  readonly models: readonly { readonly name: string; readonly profile: SimulatedProfile }[];
  /** May be a promise: chat requests wait for it, the list of models does not. */
  readonly tasks: readonly SimulatedTask[] | Promise<readonly SimulatedTask[]>;
  /** If given, requests need `Authorization: Bearer <apiKey>`. */
  readonly apiKey?: string;
}

type Bound = { Bindings: HttpBindings };

interface HostedModel {
  readonly model: SimulatedModel;
  readonly faults: FaultSource;
}

/**
 * The routes: `POST /v1/chat/completions`, `POST /v1/responses`, `GET /v1/models`, `GET /health`. `log` gets two lines
 * per chat request, both before its answer.
 */
function createSimulatorApp(options: SimulatorOptions, log: RequestLog | null): Hono<Bound> {
  const hosting = (tasks: readonly SimulatedTask[]): ReadonlyMap<string, HostedModel> =>
    new Map(options.models.map((model) => [model.name, host(model.name, model.profile, tasks)]));
  let hosted: ReadonlyMap<string, HostedModel> | undefined;
  const app = new Hono<Bound>();
  const isLetIn = (c: Context): boolean =>
    options.apiKey === undefined || c.req.header('authorization') === `Bearer ${options.apiKey}`;
  let requests = 0;

  app.get('/health', (c) => c.json({ status: 'ok', models: options.models.length }));
  app.get('/v1/models', (c) =>
    isLetIn(c) ? c.json({ object: 'list', data: options.models.map(({ name }) => modelEntry(name)) }) : unauthorized(c),
  );
  const answer = async (c: Context<Bound>, read: typeof chatRequestIn, shape: Shape): Promise<Response> => {
    if (!isLetIn(c)) return unauthorized(c);
    const body = read(await c.req.json().catch(() => null));
    if (!body.success) return invalidBody(c, body.error);
    hosted ??= hosting(await options.tasks);
    const target = hosted.get(body.data.model);
    if (target === undefined) return unknownModel(c, body.data.model);
    const refused = refusalOf(target.model.profile, body.data);
    if (refused !== null) return c.json(errorBody(refused.message, refused), refused.status);
    return complete(c, target, body.data, ++requests, log, shape);
  };
  app.post('/v1/chat/completions', (c) => answer(c, chatRequestIn, asCompletion));
  app.post('/v1/responses', (c) => answer(c, responseRequestIn, asResponse));
  return app;
}

const chatRequestIn = (body: unknown) => chatBodySchema.safeParse(body);
const responseRequestIn = (body: unknown) => responseBodySchema.transform(chatBodyOf).safeParse(body);

/** An answer as a body, and as events. */
type Shape = (answer: SimulatedAnswer, id: string) => { readonly body: object; readonly events: () => string };

const asCompletion: Shape = (answer, id) => {
  const body = chatCompletion(answer, id, nowS());
  return { body, events: () => completionEvents(body) };
};
const asResponse: Shape = (answer, id) => {
  const body = responseOf(answer, id, nowS());
  return { body, events: () => responseEvents(body) };
};

const host = (name: string, profile: SimulatedProfile, tasks: readonly SimulatedTask[]): HostedModel => ({
  model: createSimulatedModel({ name, profile, tasks }),
  faults: createFaultSource(profile),
});

async function complete(
  c: Context<Bound>,
  { model, faults }: HostedModel,
  body: ChatBody,
  sequence: number,
  log: RequestLog | null,
  shape: Shape,
): Promise<Response> {
  const bodySha256 = sha256(canonicalJson(body));
  const line = (outcome: RequestLogEntry['outcome']): RequestLogEntry => ({
    time: new Date().toISOString(),
    sequence,
    model: model.name,
    bodySha256,
    seed: body.seed ?? null,
    outcome,
  });
  const received = log?.append(line('received'));
  const fault = faults.next(bodySha256);
  const isStreamed = body.stream === true;
  const answered = async () => shape(await onceKnown(() => model.answer(body)), `simulated-${bodySha256.slice(0, 24)}`);
  const answer = {
    type: isStreamed ? 'text/event-stream' : 'application/json',
    body: async () => (await answered()).body,
    text: async () => (isStreamed ? (await answered()).events() : JSON.stringify((await answered()).body)),
  };
  const latencyMs = latencyOf(model.profile, bodySha256);
  if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
  await Promise.all([received, log?.append(line(fault ?? 'answered'))]);
  if (fault !== null) return faultResponse(fault, model.profile, answer, c);
  return c.body(await answer.text(), 200, { 'content-type': answer.type });
}

const nowS = (): number => Math.floor(Date.now() / 1000);
const modelEntry = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'evenkeel-simulated' });

const unauthorized = (c: Context): Response =>
  c.json(errorBody('Incorrect API key provided.', { type: 'invalid_request_error', code: 'invalid_api_key' }), 401);

const invalidBody = (c: Context, { issues: [issue] }: ZodError): Response =>
  badRequest(c, String(issue?.path[0] ?? 'body'), issue?.message ?? 'not JSON');

const badRequest = (c: Context, param: string, rule: string): Response =>
  c.json(
    errorBody(`Invalid value for '${param}': ${rule}`, { type: 'invalid_request_error', code: 'invalid_value', param }),
    400,
  );

const unknownModel = (c: Context, name: string): Response =>
  c.json(
    errorBody(`The model '${name}' does not exist.`, {
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
    }),
    404,
  );

export interface RunningSimulator {
  /** `http://127.0.0.1:<port>/v1`: the base URL for an OpenAI-compatible client. */
  readonly url: string;
  readonly port: number;
  /** Closes open connections; resolves when the log is on disk. */
  close(this: void): Promise<void>;
}

/**
 * Serves on 127.0.0.1 only; port 0 picks a free one. `latencyMs` overrides every profile's.
 * Rejects if the port is in use.
 */
export async function startSimulatorServer(
  options: SimulatorOptions & { readonly port: number; readonly logFile?: string; readonly latencyMs?: number },
): Promise<RunningSimulator> {
  const log = options.logFile === undefined ? null : await openRequestLog(options.logFile);
  const latencyMs = options.latencyMs;
  const models =
    latencyMs === undefined
      ? options.models
      : options.models.map(({ name, profile }) => ({ name, profile: { ...profile, latencyMs } }));
  const app = createSimulatorApp({ ...options, models }, log);
  const { port, close } = await serveLocally(app.fetch, options.port);
  const closeAll = async (): Promise<void> => {
    await close();
    await log?.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, port, close: closeAll };
}
