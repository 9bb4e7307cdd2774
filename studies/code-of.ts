/** The code in an answer, looked for once: a program is looked at when it is judged, run, recorded, and asked about again. */
import { asIs } from '../domain/extraction/rules/as-is.ts';
import { ruleOf } from '../domain/extraction/rules/index.ts';
import { type ExtractionRule, ruleId } from '../domain/extraction/rules/rule.ts';
import { createRecent, type Recent } from '../domain/recent.ts';
import type { ChatReply } from '../schemas/chat.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import type { Answer, CellState, Extracted } from './study.ts';

/** What was found, by which rule, and for which task. */
interface Found {
  readonly rule: ExtractionRule;
  readonly task: Task;
  readonly extraction: Extracted;
}

/** What was found in a reply last. */
const extractions = new WeakMap<ChatReply, Found>();
/** And by each rule in the texts that came last, in a million characters of them: models say the same again from loop to loop. */
const inTexts = new WeakMap<ExtractionRule, Recent<Found>>();

/** @param prompt the problem as it was put, where that is not the benchmark's own wording */
export const codeOf = (study: SpecStudy, { task }: CellState, answer: Answer, prompt = task.prompt): Extracted =>
  codeFor(study, prompt === task.prompt ? task : { ...task, prompt }, answer);

/** A prompt that ends in a signature completes answers that are a body only. */
export const codeFor = (study: SpecStudy, task: Task, { reply }: Answer): Extracted =>
  codeBy(reply.extracted === true ? asIs : ruleOf(study), task, reply);

/** What goes on of a summary or a draft; null when it says nothing. */
export const wordsIn = (study: SpecStudy, { reply }: Answer): string | null =>
  (reply.extracted === true ? asIs : ruleOf(study)).words(reply.text);

export function codeBy(rule: ExtractionRule, task: Task, reply: ChatReply): Extracted {
  const texts = recentOf(rule);
  const held = extractions.get(reply);
  const known = held?.rule === rule ? held : texts.get(reply.text);
  const found = known && seekAlike(known.task, task) ? known : { rule, task, extraction: extracted(rule, task, reply.text) };
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
