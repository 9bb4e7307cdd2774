/** Simulated models behind an OpenAI-compatible HTTP endpoint on this machine, with the faults of a real one. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ZodError } from 'zod';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import type { ChatBody } from './chat-body.ts';
import { BatchDesk } from './batches/batch-desk.ts';
import type { AnswerLine, LineResult } from './batches/batch.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { batchTraits } from './batches/traits.ts';
import { type ApiPath, type Shape, type SimulatedApi, simulatedApis } from './http/apis.ts';
import { errorBody } from './http/chat-completion.ts';
import { createFaultSource, latencyOf } from './faults.ts';
import type { FaultSource } from './faults.ts';
import { faultResponse } from './http/fault-response.ts';
import { serveLocally } from './local-server.ts';
import { createSimulatedModel } from './model.ts';
import type { SimulatedModel, SimulatedTask } from './model.ts';
import { onceKnown } from './not-known-yet.ts';
import type { SimulatedProfile } from './profile.ts';
import { refusalOf } from './refusals.ts';
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
 * The routes: `POST /v1/chat/completions`, `POST /v1/responses`, `GET /v1/models`, `GET /health`, and those of
 * batches. `log` gets two lines per chat request and per answered line of a batch, both before the answer.
 */
function createSimulatorApp(options: SimulatorOptions, log: RequestLog | null): Hono<Bound> {
  const hosting = (tasks: readonly SimulatedTask[]): ReadonlyMap<string, HostedModel> =>
    new Map(options.models.map((model) => [model.name, host(model.name, model.profile, tasks)]));
  let hosted: ReadonlyMap<string, HostedModel> | undefined;
  const app = new Hono<Bound>();
  const isLetIn = (c: Context): boolean =>
    options.apiKey === undefined || c.req.header('authorization') === `Bearer ${options.apiKey}`;
  let requests = 0;
  const find = async (model: string): Promise<HostedModel | undefined> => {
    hosted ??= hosting(await options.tasks);
    return hosted.get(model);
  };

  app.get('/health', (c) => c.json({ status: 'ok', models: options.models.length }));
  app.get('/v1/models', (c) =>
    isLetIn(c) ? c.json({ object: 'list', data: options.models.map(({ name }) => modelEntry(name)) }) : unauthorized(c),
  );
  const answer = async (c: Context<Bound>, { read, shape }: SimulatedApi): Promise<Response> => {
    if (!isLetIn(c)) return unauthorized(c);
    const body = read(await c.req.json().catch(() => null));
    if (!body.success) return invalidBody(c, body.error);
    const target = await find(body.data.model);
    if (target === undefined) return unknownModel(c, body.data.model);
    const refused = refusalOf(target.model.profile, body.data);
    if (refused !== null) return c.json(errorBody(refused.message, refused), refused.status);
    return complete(c, target, body.data, ++requests, log, shape);
  };
  for (const [path, api] of Object.entries(simulatedApis)) app.post(path, (c) => answer(c, api));
  const desk = new BatchDesk({
    traitsOf: (name) => {
      const model = options.models.find((one) => one.name === name);
      return model && (model.profile.batch ?? batchTraits.parse({}));
    },
    answer: (endpoint, batch) => (line) => batchLine({ find, endpoint, batch, log, sequence: ++requests }, line),
  });
  app.route(
    '/v1',
    batchRoutes(desk, (c) => (isLetIn(c) ? null : unauthorized(c))),
  );
  return app;
}

interface InBatch {
  readonly find: (model: string) => Promise<HostedModel | undefined>;
  readonly endpoint: string;
  readonly batch: string;
  readonly log: RequestLog | null;
  readonly sequence: number;
}

const logged = ['received', 'answered'] as const;

/** The answer to a line of a batch; logged like a request of its own. */
async function batchLine(at: InBatch, { body: given }: Parameters<AnswerLine>[0]): Promise<LineResult> {
  const api = simulatedApis[at.endpoint as ApiPath] as SimulatedApi | undefined;
  const read = api?.read(given);
  if (api === undefined || read?.success !== true) return refusedLine(400, 'This line is not a request.');
  const target = await at.find(read.data.model);
  if (target === undefined) return refusedLine(404, `The model '${read.data.model}' does not exist.`);
  const refused = refusalOf(target.model.profile, read.data);
  if (refused !== null) return { status: refused.status, body: errorBody(refused.message, refused) };
  const answer = await onceKnown(() => target.model.answer(read.data));
  const line = logLine(target.model.name, read.data, at.sequence);
  const { log, batch } = at;
  if (log !== null) await Promise.all(logged.map((outcome) => log.append({ ...line(outcome), batch })));
  return { status: 200, body: api.shape(answer, answerId(sha256(canonicalJson(read.data))), nowS()).body };
}

const refusedLine = (status: number, message: string): LineResult => ({
  status,
  body: errorBody(message, { type: 'invalid_request_error' }),
});

const answerId = (bodySha256: string): string => `simulated-${bodySha256.slice(0, 24)}`;

const logLine =
  (model: string, body: ChatBody, sequence: number) =>
  (outcome: RequestLogEntry['outcome']): RequestLogEntry => ({
    time: new Date().toISOString(),
    ...{ sequence, model, bodySha256: sha256(canonicalJson(body)), seed: body.seed ?? null, outcome },
  });

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
  const line = logLine(model.name, body, sequence);
  const received = log?.append(line('received'));
  const fault = faults.next(bodySha256);
  const isStreamed = body.stream === true;
  const answered = async () => shape(await onceKnown(() => model.answer(body)), answerId(bodySha256), nowS());
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
