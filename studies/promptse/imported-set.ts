/**
 * A variant set from a file: lines of prompts, checked like any other draw, except that near
 * duplicates are kept as published.
 */
import { distances } from './distances.ts';
import { comparedWords, wordDistance } from '../../domain/edit-distance.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantLine, VariantRecord } from '../../schemas/variant.ts';
import { checkVariant, type Original, originalOf } from '../variants/invariance.ts';
import { passagesOf } from '../variants/prompt-parts.ts';
import { variantName } from './variant-plan.ts';

/**
 * A task's variants: at each distance the first `variants` lines, in the file's order. A line that breaks a rule, or
 * that does not exist, gives a missing variant.
 */
export function importedVariants(
  task: Pick<Task, 'prompt' | 'entryPoint'>,
  { variants: count, renameParameters }: { readonly variants: number; readonly renameParameters: boolean },
  lines: readonly VariantLine[],
): VariantRecord[] {
  const original = originalOf(task.prompt, task.entryPoint, renameParameters);
  return distances.flatMap((distance) => {
    const own = lines.filter((line) => line.distance === distance);
    return Array.from({ length: count }, (_, index) =>
      importedVariant(original, variantName(distance, index), distance, own[index]),
    );
  });
}

function importedVariant(
  original: Original,
  variant: string,
  distance: number,
  line: VariantLine | undefined,
): VariantRecord {
  const checked =
    line?.prompt == null ? { passages: null, violation: 'not in the set' } : checkVariant(original, line.prompt);
  const words = checked.passages?.join('\n') ?? null;
  return {
    variant,
    distance,
    emotion: line?.emotion ?? null,
    technical: line?.technical ?? null,
    experience: line?.experience ?? null,
    collaboration: line?.collaboration ?? null,
    context: line?.context ?? null,
    status: words === null ? 'missing' : 'accepted',
    reason: checked.violation,
    attempts: line === undefined ? 0 : 1,
    prompt: words === null ? null : (line?.prompt ?? null),
    editDistance: words === null ? null : wordDistance(passagesOf(original.parts).join('\n'), words),
    words: words === null ? null : comparedWords(words).length,
  };
}
