/** Runs evaluations of promptfoo: each line asks for a number of samples, and gets the seconds and the results. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const write = process.stdout.write.bind(process.stdout);
const answer = (value) => write(`${JSON.stringify(value)}\n`);
// What it prints itself must not be taken for an answer.
process.stdout.write = process.stderr.write.bind(process.stderr);
const resolve = createRequire(join(process.argv[2], 'package.json')).resolve;
const { default: promptfoo } = await import(pathToFileURL(resolve('promptfoo')).href);

async function measure(samples) {
  const tests = Array.from({ length: samples }, (_, number) => ({
    vars: { number: String(number) },
    assert: [{ type: 'contains', value: 'function' }],
  }));
  const start = performance.now();
  const suite = { prompts: ['Write a function that adds {{number}}.'], providers: ['echo'], tests };
  const { results } = await promptfoo.evaluate(suite, { cache: false, showProgressBar: false });
  const seconds = (performance.now() - start) / 1000;
  const found = Array.isArray(results) ? results : (results?.results ?? []);
  return { seconds, done: found.filter(({ success }) => success).length };
}

answer({});
for await (const line of createInterface({ input: process.stdin })) answer(await measure(JSON.parse(line).samples));
