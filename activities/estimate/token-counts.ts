/**
 * Counts tokens of a study's prompts and expected answers with a real tokenizer, as means over the benchmark's tasks.
 */
import { countTokens } from 'gpt-tokenizer';
import { languages } from '../../domain/languages/index.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { Task } from '../../schemas/task.ts';
import type { AnswerKind, CallForecast, Range } from '../../studies/forecast.ts';
import { mostInputTokens } from '../calls/token-usage.ts';

/** Tokens that the chat format adds, according to OpenAI. */
const tokensPerMessage = 4;
const tokensPerRequest = 3;
/** Highest number of tasks to count; of larger benchmarks, an evenly spread sample. */
export const countedTasks = 400;

const plainText = { disallowedSpecial: new Set<string>() };
/**
 * The tokenizer treats a run of letters, digits or other characters without a space as one piece, and its time grows
 * with the square of the piece's length.
 */
const longRun = /[^\s]{500}/gu;

/** Number of tokens of a text, in linear time: runs of 500 characters without a space are counted separately. */
export function tokensOf(text: string): number {
  const runs = text.match(longRun) ?? [];
  if (runs.length === 0) return countTokens(text, plainText);
  return [text.replace(longRun, ''), ...runs].reduce((sum, part) => sum + countTokens(part, plainText), 0);
}

const requestTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + tokensOf(content) + tokensPerMessage, tokensPerRequest);

/** An expected answer: the benchmark's own solution, the prompt's own words, a number. */
function expectedAnswer(kind: AnswerKind, { prompt, reference, language }: Task): string {
  if (kind === 'program') return `\`\`\`${languages[language].fence}\n${reference || prompt}\n\`\`\``;
  return kind === 'score' ? '0.9' : wording(prompt);
}

/** The part of the answer that the next question quotes. */
const quoted = (kind: 'program' | 'summary', { prompt, reference }: Task): string =>
  kind === 'program' ? reference || prompt : wording(prompt);

/** A prompt without its quotes and asserts. */
const wording = (prompt: string): string =>
  prompt
    .split('\n')
    .filter((line) => !/^\s*("""|assert )/.test(line))
    .join('\n')
    .trim();

/** Highest number of tokens that another model may need for one token of a quoted answer: one per byte. */
export const bytesPerQuotedToken = 4;

/** Tokens of one request, as means over the tasks; `longest` is the maximum over the tasks. */
export interface InputTokens extends Range {
  readonly longest: number;
}

/**
 * Minimum: quoted earlier answers are empty. Maximum: they have the longest length, and each byte is a token.
 * @param longestAnswer most tokens of an earlier answer
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

/** Tokens of one answer; `longest` is its limit. */
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
  return step === 1
    ? tasks
    : Array.from({ length: countedTasks }, (_, index) => tasks[Math.floor(index * step)] as Task);
}

const mean = (tasks: readonly Task[], tokens: (task: Task) => number): number =>
  tasks.length === 0 ? 0 : tasks.reduce((sum, task) => sum + tokens(task), 0) / tasks.length;
