/**
 * Answers to the same prompt are draws of it: one that could not be judged needs no partner to be left out on the other
 * sides. So that a model is not measured on fewer of its own answers because another model's were not judged.
 */
import type { CellPart, TaskParts } from '../phrasing-values.ts';

/** At each place all judged answers of its side to the same prompt. @param prompts by place */
export const withDraws = (sides: readonly TaskParts[], prompts: readonly string[]): readonly TaskParts[] =>
  sides.every((parts) => parts.every((part) => part !== null)) ? sides : sides.map((parts) => pooled(parts, prompts));

function pooled(parts: TaskParts, prompts: readonly string[]): CellPart[] {
  const sums = new Map<string, { numerator: number; denominator: number }>();
  for (const [place, part] of parts.entries()) {
    if (part === null) continue;
    const prompt = prompts[place] ?? '';
    const sum = sums.get(prompt) ?? { numerator: 0, denominator: 0 };
    sums.set(prompt, {
      numerator: sum.numerator + part.numerator,
      denominator: sum.denominator + part.denominator,
    });
  }
  return parts.map((_, place) => sums.get(prompts[place] ?? '') ?? null);
}
