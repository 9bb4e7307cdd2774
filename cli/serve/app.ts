/** The routes of `watch`. */
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { livePolicy, liveRunPage, runsPage } from '../../analysis/report/live/page.ts';
import { liveScript } from '../../analysis/report/page-script.ts';
import { liveStyleSheet } from '../../analysis/report/style.ts';
import { trusted } from '../../analysis/report/html.ts';
import { guard } from './guard.ts';
import type { Poll } from './poll.ts';
import type { WatchedRuns } from './watched-runs.ts';

/** @param port that the server listens on */
export function createWatchApp(runs: WatchedRuns, port: () => number): Hono {
  const app = new Hono();
  app.use(guard(port, livePolicy));
  const file = (text: string, type: string) => (c: Context) => c.body(text, 200, { 'content-type': type });
  app.get('/script.js', file(liveScript, 'text/javascript; charset=utf-8'));
  app.get('/style.css', file(liveStyleSheet, 'text/css; charset=utf-8'));
  app.get('/', async (c) => {
    const { only } = runs;
    return only === null ? c.html(runsPage(runs.title, (await runs.list.now()).runs)) : c.redirect(runAddress(only));
  });
  app.get('/events', (c) => events(c, runs.list));
  app.get('/run/:run', (c) => c.redirect(runAddress(c.req.param('run'))));
  app.get('/run/:run/', async (c) => {
    const run = await runs.find(c.req.param('run'));
    if (run === null) return c.notFound();
    const { facts, revision } = await run.poll.now();
    const [name, hasOthers] = [c.req.param('run'), runs.only === null];
    const page = { run: name, facts: trusted(facts), content: trusted(run.content()), revision, hasOthers };
    return c.html(liveRunPage(page));
  });
  app.get('/run/:run/events', async (c) => {
    const run = await runs.find(c.req.param('run'));
    return run === null ? c.notFound() : events(c, run.poll);
  });
  app.get('/run/:run/report', async (c) => {
    const run = await runs.find(c.req.param('run'));
    if (run === null || run.content() === '') return c.notFound();
    c.header('x-revision', String((await run.poll.now()).revision));
    return c.html(run.content());
  });
  app.get('/run/:run/examples/:id', async (c) => {
    const example = await runs.example(c.req.param('run'), c.req.param('id'));
    return example === null ? c.notFound() : c.body(example, 200, { 'content-type': 'application/json' });
  });
  app.onError((error, c) => c.text(runs.faultText(error), 500));
  return app;
}

const runAddress = (run: string): string => `/run/${encodeURIComponent(run)}/`;

/** Sends the facts when they have changed, and the number of the newest page. */
function events(c: Context, poll: Poll<{ readonly facts: string; readonly revision: number }>): Response {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    let [facts, revision] = ['', 0];
    await poll.follow(gone.signal, async (seen) => {
      if (seen.facts !== facts) await stream.writeSSE({ event: 'facts', data: JSON.stringify(seen.facts) });
      if (seen.revision !== revision) await stream.writeSSE({ event: 'revision', data: String(seen.revision) });
      ({ facts, revision } = seen);
    });
  });
}
