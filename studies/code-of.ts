/**
 * Extracts the code of an answer and caches it: judging, running, recording and the next question all need it.
 */
import { asIs } from '../domain/extraction/rules/as-is.ts';
import { ruleOf } from './extraction.ts';
import { type ExtractionRule, ruleId } from '../domain/extraction/rules/rule.ts';
import { createRecent, type Recent } from '../domain/recent.ts';
import type { ChatReply } from '../schemas/chat.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import type { Answer, CellState, Extracted } from './cell-state.ts';

/** An extraction, with the rule and the task that it depends on. */
interface Found {
  readonly rule: ExtractionRule;
  readonly task: Task;
  readonly extraction: Extracted;
}

/** The last extraction from each reply. */
const extractions = new WeakMap<ChatReply, Found>();
/**
 * Per rule, extractions from the most recent texts, up to 2^20 characters in total:
 * models repeat the same text from loop to loop.
 */
const inTexts = new WeakMap<ExtractionRule, Recent<Found>>();

/** @param prompt the problem as it was asked, if that differs from the benchmark's own wording */
export const codeOf = (study: SpecStudy, { task }: CellState, answer: Answer, prompt = task.prompt): Extracted =>
  codeFor(study, prompt === task.prompt ? task : { ...task, prompt }, answer);

/** If the task's prompt ends in a signature, an answer that is only a function body is completed with it. */
export const codeFor = (study: SpecStudy, task: Task, { reply }: Answer): Extracted =>
  codeBy(reply.extracted === true ? asIs : ruleOf(study), task, reply);

/** The part of a summary or draft that is used further; null if there is none. */
export const wordsIn = (study: SpecStudy, { reply }: Answer): string | null =>
  (reply.extracted === true ? asIs : ruleOf(study)).words(reply.text);

export function codeBy(rule: ExtractionRule, task: Task, reply: ChatReply): Extracted {
  const texts = recentOf(rule);
  const held = extractions.get(reply);
  const known = held?.rule === rule ? held : texts.get(reply.text);
  const found =
    known && seekAlike(known.task, task) ? known : { rule, task, extraction: extracted(rule, task, reply.text) };
  extractions.set(reply, found);
  if (found !== known) texts.put(reply.text, found, reply.text.length);
  return found.extraction;
}

function recentOf(rule: ExtractionRule): Recent<Found> {
  const texts = inTexts.get(rule) ?? createRecent<Found>(1024 * 1024);
  inTexts.set(rule, texts);
  return texts;
}

const seekAlike = (one: Task, other: Task): boolean =>
  one.prompt === other.prompt && one.entryPoint === other.entryPoint && one.language === other.language;

function extracted(rule: ExtractionRule, task: Task, text: string): Extracted {
  const { code, how } = rule.code(text, task);
  return { code, how, rule: ruleId(rule) };
}
