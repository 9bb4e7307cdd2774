/** The code in an answer, looked for once: a program is looked at when it is judged, run, recorded, and asked about again. */
import { cppProgram } from '../domain/extraction/cpp-answer.ts';
import { extractCode } from '../domain/extraction/extract-code.ts';
import { extractScript } from '../domain/extraction/extract-script.ts';
import { createRecent } from '../domain/recent.ts';
import { definesName } from '../domain/extraction/statements.ts';
import type { ChatReply } from '../schemas/chat.ts';
import type { Task } from '../schemas/task.ts';
import type { Answer, CellState, Extracted } from './study.ts';

/** What was found, and for which task. */
interface Found {
  readonly task: Task;
  readonly extraction: Extracted;
}

/** What was found in a reply last. */
const extractions = new WeakMap<ChatReply, Found>();
/** And in the texts that came last, in a million characters of them: models say the same again from loop to loop. */
const inTexts = createRecent<Found>(1024 * 1024);

/** @param prompt the problem as it was put, where that is not the benchmark's own wording */
export const codeOf = ({ task }: CellState, answer: Answer, prompt = task.prompt): Extracted =>
  codeFor(prompt === task.prompt ? task : { ...task, prompt }, answer);

/** A prompt that ends in a signature completes answers that are a body only. */
export function codeFor(task: Task, { reply }: Answer): Extracted {
  const known = extractions.get(reply) ?? inTexts.get(reply.text);
  const found = known && seekAlike(known.task, task) ? known : { task, extraction: extracted(reply.text, task) };
  extractions.set(reply, found);
  if (found !== known) inTexts.put(reply.text, found, reply.text.length);
  return found.extraction;
}

const seekAlike = (one: Task, other: Task): boolean =>
  one.prompt === other.prompt && one.entryPoint === other.entryPoint && one.language === other.language;

function extracted(text: string, { entryPoint, prompt, language }: Task): Extracted {
  if (language === 'cpp') {
    const { code, how } = extractScript(text, { language, entryPoint, prompt });
    return { code: code === null ? null : cppProgram(code, prompt, entryPoint), how };
  }
  if (language !== 'python') return extractScript(text, { language, entryPoint, prompt });
  return extractCode(text, { entryPoint, prompt: definesName(prompt, entryPoint) ? prompt : undefined });
}
