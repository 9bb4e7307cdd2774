/** A prompt set from a file: signature and preamble are checked; status and reason are kept. */
import type { Task } from '../../schemas/task.ts';
import type { VariantLine, VariantRecord } from '../../schemas/variant.ts';
import { describedRange } from '../variants/prompt-parts.ts';
import type { PromptFrame } from './frame.ts';
import { frameOf, type Generated, recordOf } from './make-set.ts';
import { positionsOf, type SpecificitySettings } from './settings.ts';

/**
 * A task's prompts by name. Minimal and original come from the task; a line that does not exist or changes the
 * signature gives a missing prompt.
 */
export function importedPoset(
  settings: SpecificitySettings,
  task: Task,
  lines: readonly VariantLine[],
): VariantRecord[] {
  const frame = frameOf(task);
  return positionsOf(settings).map((position) => {
    if (position.augmentation === 'minimal') return recordOf(frame, position, kept('', undefined));
    if (position.augmentation === 'original') return recordOf(frame, position, kept(frame.description, undefined));
    const line = lines.find(({ variant }) => variant === position.variant);
    return recordOf(frame, position, importedLine(frame, task, line));
  });
}

const kept = (text: string, line: VariantLine | undefined): Generated => ({
  text,
  status: line?.status === 'flagged' ? 'flagged' : 'accepted',
  reason: line?.reason ?? null,
  attempts: line === undefined ? 0 : 1,
});

function importedLine(frame: PromptFrame, { entryPoint }: Task, line: VariantLine | undefined): Generated {
  const missing = (reason: string): Generated => ({
    text: null,
    status: 'missing',
    reason,
    attempts: line === undefined ? 0 : 1,
  });
  if (line?.prompt == null) return missing(line?.reason ?? 'not in the set');
  if (!line.prompt.startsWith(frame.head) || (frame.language === 'cpp' && !line.prompt.endsWith(frame.tail)))
    return missing('preamble or signature is not the task’s');
  const { start, end } = describedRange(line.prompt, entryPoint);
  const words = line.prompt.slice(start, end).split('\n');
  const text = words
    .map((text) => (text.startsWith(frame.indentation) ? text.slice(frame.indentation.length) : text))
    .join('\n');
  return text.trim() === '' ? missing('it has no description') : kept(text.trim(), line);
}
