/**
 * Entry of the bare loop: the same conversations with only the `openai` client, without ledger, server and tables.
 * Arguments: the workload's folder, the base URL. Sends 'ready', then for each message runs once and sends the seconds.
 */
import { OpenAI } from 'openai';
import pLimit from 'p-limit';
import { codePrompt, nextDescription, summaryPrompt, systemMessage } from '../../studies/evaloop/prompts.ts';
import { extractCode } from '../../domain/extraction/extract-code.ts';
import type { Task } from '../../schemas/task.ts';
import { concurrency, loops, modelNames, tasksIn } from './workload.ts';

const [folder = '.', baseURL = ''] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
const limit = pLimit(concurrency);

async function ask(model: string, content: string): Promise<string> {
  const messages = [
    { role: 'system', content: systemMessage },
    { role: 'user', content },
  ] as const;
  const body = { model, messages: [...messages], temperature: 0, top_p: 1, max_tokens: 1024 };
  const completion = await limit(() => client.chat.completions.create(body));
  return completion.choices[0]?.message.content ?? '';
}

/** The calls that EVALOOP makes for a task that passes all loops. */
async function converse(model: string, { prompt, entryPoint }: Task): Promise<void> {
  let description = prompt;
  for (let loop = 1; ; loop += 1) {
    const reply = await ask(model, codePrompt(description));
    if (loop === loops) return;
    const summary = await ask(model, summaryPrompt(extractCode(reply, { entryPoint }).code ?? ''));
    description = nextDescription(summary, prompt);
  }
}

const tasks = await tasksIn(folder);

async function run(): Promise<void> {
  const startMs = performance.now();
  await Promise.all(modelNames.flatMap((model) => tasks.map((task) => converse(model, task))));
  process.send?.((performance.now() - startMs) / 1000);
}

process.on('message', () => void run());
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
