/** The rule-based rewriter's new parameter names, which depend on the style's technical orientation. */
import { uniform } from '../../domain/random.ts';
import { isNewName, renameable, withRenamed } from '../variants/renaming.ts';
import type { Style } from './draw-styles.ts';
import { parameterNamePattern } from './templates.ts';

/** Renames each parameter that may be renamed with probability 1/2. */
export function renamedByRules(
  prompt: string,
  original: { readonly prompt: string; readonly entryPoint: string },
  { personality }: Style,
  seed: number,
): string {
  const next = uniform(seed);
  const pattern = parameterNamePattern(personality.technical);
  const renaming = renameable(original.prompt, original.entryPoint)
    .filter(() => next() < 0.5)
    .map((name) => [name, pattern.replace('{name}', name)] as const)
    .filter(([, name]) => isNewName(name, original.prompt));
  return withRenamed(prompt, original.entryPoint, new Map(renaming));
}
