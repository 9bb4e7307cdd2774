/** The variants that a task is to have: a slot each, with its name and style. */
import { distances } from '../../domain/metrics/auc-e.ts';
import { seedOf } from '../../domain/random.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import type { Answer, OpenDraws } from '../study.ts';
import { type Draw, refusalText, type SettledSlot, settle, type Slot } from '../variants/settle.ts';
import { type Original, originalOf } from '../variants/invariance.ts';
import { passagesOf, withPassages } from '../variants/prompt-parts.ts';
import { type Draws, drawStyles, type Style } from './draw-styles.ts';
import { renamedByRules } from './rename-by-rules.ts';
import { draftFrom } from './rewrite-prompt.ts';
import { rewriteByRules } from './rule-rewriter.ts';

export interface VariantSettings {
  /** Variants per task and distance. */
  readonly variants: number;
  readonly seed: number;
  readonly draws: Draws;
  /** Whether each variant also has a condition of work. */
  readonly contexts: boolean;
  /** Whether parameters may have other names in a variant. */
  readonly renameParameters: boolean;
  /** Draws of one variant at most. */
  readonly maxDraws: number;
}

type SourceTask = Pick<Task, 'taskId' | 'prompt' | 'entryPoint'>;

interface StyledSlot extends Slot {
  readonly style: Style;
}

export const variantName = (distance: number, index: number): string => `d${distance}-${String(index + 1).padStart(2, '0')}`;

/** `d0.1-01` .. `d0.3-30`. */
export const variantNames = (count: number): string[] =>
  distances.flatMap((distance) => Array.from({ length: count }, (_, index) => variantName(distance, index)));

/** `d0.1-01` .. `d0.3-30`, with the styles drawn for the task. */
const styledSlots = (taskId: string, settings: VariantSettings): StyledSlot[] =>
  distances.flatMap((distance) =>
    drawStyles(settings.seed, taskId, distance, settings.variants, settings).map((style, index) => ({
      variant: variantName(distance, index),
      group: String(distance),
      style,
    })),
  );

/** A task's variants by the rules of rule-rewriter.ts. */
export function variantsByRules(task: SourceTask, settings: VariantSettings): VariantRecord[] {
  const original = originalOf(task.prompt, task.entryPoint, settings.renameParameters);
  const passages = passagesOf(original.parts);
  const slots = styledSlots(task.taskId, settings);
  const { settled } = settle(original, slots, settings.maxDraws, (slot, round) => {
    const { style, variant } = slots[slot] as StyledSlot;
    if (passages.length === 0) return { fault: noPassage };
    const seed = settings.seed + Number(variant.slice(-2)) * 1e6;
    const prompt = withPassages(original.parts, rewriteByRules(passages, style, original.names, seed, round));
    return { prompt: settings.renameParameters ? renamedByRules(prompt, task, style, seedOf('rename', seed, variant, round)) : prompt };
  });
  return settled.map((slot, index) => variantRecord(slots[index] as StyledSlot, slot));
}

/** The style that was drawn for a variant. */
export function styleOf(taskId: string, settings: VariantSettings, variant: string): Style {
  const slot = styledSlots(taskId, settings).find((one) => one.variant === variant);
  if (slot === undefined) throw new Error(`there is no variant ${variant} of ${taskId} in a set of ${settings.variants} per distance`);
  return slot.style;
}

/** A task's variants from a rewriter's answers; or the ones that are to be drawn next. */
export function settleByModel(
  task: SourceTask,
  settings: VariantSettings,
  answer: (variant: string, round: number) => Answer | undefined,
): VariantRecord[] | OpenDraws {
  const original = originalOf(task.prompt, task.entryPoint, settings.renameParameters);
  const slots = styledSlots(task.taskId, settings);
  const variantAt = (index: number): string => (slots[index] as StyledSlot).variant;
  const { settled, open, round } = settle(original, slots, settings.maxDraws, (slot, draw) =>
    draftOf(original, answer(variantAt(slot), draw)),
  );
  if (open.length > 0) return { open: open.map(variantAt), round };
  return settled.map((slot, index) => variantRecord(slots[index] as StyledSlot, slot));
}

function draftOf(original: Original, answer: Answer | undefined): Draw | undefined {
  if (passagesOf(original.parts).length === 0) return { fault: noPassage };
  if (answer === undefined || answer.status === 'ok') return answer && draftFrom(original, answer.reply.text);
  return { fault: answer.status };
}

const noPassage = 'the prompt has no passage in natural language';

const variantRecord = ({ variant, style }: StyledSlot, { accepted, attempts, refused }: SettledSlot): VariantRecord => ({
  variant,
  distance: style.distance,
  emotion: style.emotion,
  ...style.personality,
  ...(style.context !== undefined && { context: style.context }),
  status: accepted === null ? 'missing' : 'accepted',
  reason: refusalText(refused),
  attempts,
  prompt: accepted?.prompt ?? null,
  editDistance: accepted?.editDistance ?? null,
  words: accepted?.words ?? null,
});
