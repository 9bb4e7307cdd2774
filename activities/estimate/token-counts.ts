/** Tokens of the texts that a study will send and be answered, by a real tokenizer, as means over the benchmark's tasks. */
import { countTokens } from 'gpt-tokenizer';
import { languageTexts } from '../../domain/languages.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { Task } from '../../schemas/task.ts';
import type { AnswerKind, CallForecast, Range } from '../../studies/forecast.ts';
import { mostInputTokens } from '../token-usage.ts';

/** What the chat format adds, by OpenAI's account of it. */
const tokensPerMessage = 4;
const tokensPerRequest = 3;
/** Of larger benchmarks as many tasks are looked at, evenly spread. */
export const countedTasks = 400;

const plainText = { disallowedSpecial: new Set<string>() };
/** A run of letters, of digits or of other signs without a space is one piece to the tokenizer, whose time grows with the square of it. */
const longRun = /[^\s]{500}/gu;

/** Tokens of a text, in time that grows with its length: runs of 500 characters without a space are counted one by one. */
export function tokensOf(text: string): number {
  const runs = text.match(longRun) ?? [];
  if (runs.length === 0) return countTokens(text, plainText);
  return [text.replace(longRun, ''), ...runs].reduce((sum, part) => sum + countTokens(part, plainText), 0);
}

const requestTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + tokensOf(content) + tokensPerMessage, tokensPerRequest);

/** An expected answer: the benchmark's own solution, the prompt's own words, a number. */
function expectedAnswer(kind: AnswerKind, { prompt, reference, language }: Task): string {
  if (kind === 'program') return `\`\`\`${languageTexts[language].fence}\n${reference || prompt}\n\`\`\``;
  return kind === 'score' ? '0.9' : wording(prompt);
}

/** What the next question quotes of it. */
const quoted = (kind: 'program' | 'summary', { prompt, reference }: Task): string =>
  kind === 'program' ? reference || prompt : wording(prompt);

/** A prompt without its quotes and asserts. */
const wording = (prompt: string): string =>
  prompt
    .split('\n')
    .filter((line) => !/^\s*("""|assert )/.test(line))
    .join('\n')
    .trim();

/** Of a token that an answer was made of, where another model reads it byte by byte. */
export const bytesPerQuotedToken = 4;

/** Tokens of one request, as means over the tasks; `longest` is the most of any. */
export interface InputTokens extends Range {
  readonly longest: number;
}

/**
 * At least with nothing in the earlier answers that it quotes, at most with those as long as answers may be, and then a token for each byte.
 * @param longestAnswer tokens of the earlier answers at most
 */
export function inputTokens(forecast: CallForecast, tasks: readonly Task[], longestAnswer: number): InputTokens {
  const [first] = tasks;
  if (first === undefined) return { minimum: 0, expected: 0, maximum: 0, longest: 0 };
  const most = (task: Task, said: string): number => mostInputTokens(forecast.messages(task, () => said));
  const quotes = most(first, 'a') - most(first, '');
  const quotedBytes = quotes * longestAnswer * bytesPerQuotedToken;
  return {
    minimum: mean(tasks, (task) => requestTokens(forecast.messages(task, () => ''))),
    expected: mean(tasks, (task) => requestTokens(forecast.messages(task, (kind) => quoted(kind, task)))),
    maximum: mean(tasks, (task) => most(task, '')) + quotedBytes,
    longest: Math.max(...tasks.map((task) => most(task, ''))) + quotedBytes,
  };
}

/** Tokens of one answer; `longest` is what it may have at most. */
export function outputTokens(kind: AnswerKind, tasks: readonly Task[], longest: number): Range {
  return {
    minimum: 0,
    expected: Math.min(
      longest,
      mean(tasks, (task) => tokensOf(expectedAnswer(kind, task))),
    ),
    maximum: longest,
  };
}

/** Evenly spread tasks, `countedTasks` at most. */
export function someTasks(tasks: readonly Task[]): readonly Task[] {
  const step = Math.max(1, tasks.length / countedTasks);
  return step === 1 ? tasks : Array.from({ length: countedTasks }, (_, index) => tasks[Math.floor(index * step)] as Task);
}

const mean = (tasks: readonly Task[], tokens: (task: Task) => number): number =>
  tasks.length === 0 ? 0 : tasks.reduce((sum, task) => sum + tokens(task), 0) / tasks.length;
