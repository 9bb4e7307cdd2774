/** A task's prompts under the attacks that a study names, as variants: made by rules, the same for every model. */
import { comparedWords, wordDistance } from '../../../domain/edit-distance.ts';
import { seedOf } from '../../../domain/random.ts';
import type { VariantRecord } from '../../../schemas/variant.ts';
import { type Attack, type AttackedTask, attackedPrompt } from './attack.ts';
import { attacks } from './index.ts';

/** Raised when an attack makes another text of a prompt. */
export const attackVersion = 'attacks-1';

export interface AttackSettings {
  /** Names of attacks. */
  readonly attacks: readonly string[];
  /** Draws of each random attack. */
  readonly draws: number;
  readonly seed: number;
}

/** `case`, `typos-1`, `typos-2`, ...: in the order of the settings. */
export const attackVariantNames = (settings: AttackSettings): string[] => slotsOf(settings).map(({ variant }) => variant);

/** Which attack each variant is of. */
export const attacksByVariant = (settings: AttackSettings): Map<string, Pick<Attack, 'family'> & { readonly attack: string }> =>
  new Map(slotsOf(settings).map(({ variant, attack: { name, family } }) => [variant, { attack: name, family }]));

/** One record per name; missing where the attack changes nothing in this task's prompt. */
export const attackVariants = (task: AttackedTask, settings: AttackSettings): VariantRecord[] =>
  slotsOf(settings).map(({ variant, attack, draw }) => {
    const prompt = attackedPrompt(attack, task, seedOf(settings.seed, draw));
    return {
      variant,
      attack: attack.name,
      ...withoutStyle,
      status: prompt === null ? 'missing' : 'accepted',
      reason: prompt === null ? `${attack.name} changes nothing in this prompt` : null,
      attempts: 1,
      prompt,
      editDistance: prompt === null ? null : wordDistance(task.prompt, prompt),
      words: prompt === null ? null : comparedWords(prompt).length,
    };
  });

const withoutStyle = { distance: null, emotion: null, technical: null, experience: null, collaboration: null } as const;

interface Slot {
  readonly variant: string;
  readonly attack: Attack;
  readonly draw: number;
}

const slotsOf = ({ attacks: names, draws }: AttackSettings): Slot[] =>
  names.flatMap((name) => {
    const attack = attackNamed(name);
    if (!attack.random) return [{ variant: name, attack, draw: 0 }];
    return Array.from({ length: draws }, (_, draw) => ({ variant: `${name}-${draw + 1}`, attack, draw }));
  });

function attackNamed(name: string): Attack {
  const attack = attacks.find((candidate) => candidate.name === name);
  if (!attack) throw new Error(`there is no attack ${name}; there are ${attacks.map((known) => known.name).join(', ')}`);
  return attack;
}
