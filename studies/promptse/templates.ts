/**
 * The templates of PromptSE's variants (section 2.1): eight emotions, a personality of three dimensions, three
 * distances. The texts are evenkeel's and are in data/promptse. Any change there needs a new version, because variant
 * sets are identified by it.
 */
import affect from '../../data/promptse/affect.json' with { type: 'json' };
import contextTexts from '../../data/promptse/contexts.json' with { type: 'json' };
import distanceTexts from '../../data/promptse/distances.json' with { type: 'json' };
import emotionTexts from '../../data/promptse/emotions.json' with { type: 'json' };
import lexiconTexts from '../../data/promptse/lexicon.json' with { type: 'json' };
import parameterNames from '../../data/promptse/parameter-names.json' with { type: 'json' };
import personalityTexts from '../../data/promptse/personalities.json' with { type: 'json' };
import type { Distance } from './distances.ts';

export const templateVersion = 'promptse-templates-1';

/** Equation 1: the description of an emotion or a trait for a model that rewrites. */
export interface StyleTemplate {
  readonly description: string;
  readonly languageCharacteristics: string;
  readonly expressionPattern: string;
}

/** An emotion also has the phrases that the rule-based rewriter uses, from the shortest to whole sentences. */
export interface EmotionTemplate extends StyleTemplate {
  readonly interjections: readonly string[];
  readonly clauses: readonly string[];
  readonly openers: readonly string[];
  readonly closers: readonly string[];
}

export interface TraitTemplate extends StyleTemplate {
  readonly sentences: readonly string[];
}

export type Emotion = keyof typeof emotionTexts;
export type Technical = keyof typeof personalityTexts.technical;
export type Experience = keyof typeof personalityTexts.experience;
export type Collaboration = keyof typeof personalityTexts.collaboration;

export type Context = keyof typeof contextTexts;

/** Equation 2. */
export interface Personality {
  readonly technical: Technical;
  readonly experience: Experience;
  readonly collaboration: Collaboration;
}

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => Object.keys(record) as K[];

export const emotions: readonly Emotion[] = keysOf(emotionTexts);
export const technicals: readonly Technical[] = keysOf(personalityTexts.technical);
export const experiences: readonly Experience[] = keysOf(personalityTexts.experience);
export const collaborations: readonly Collaboration[] = keysOf(personalityTexts.collaboration);

/** Contextual conditions (section 2.1.1): complexity, collaboration needs, learning goals. */
export const contexts: readonly Context[] = keysOf(contextTexts);

export const contextTemplate = (context: Context): TraitTemplate => contextTexts[context];

export const emotionTemplate = (emotion: Emotion): EmotionTemplate => emotionTexts[emotion];

/** The templates of a personality's three dimensions, in the order T, L, C. */
export const traitTemplates = ({ technical, experience, collaboration }: Personality): readonly TraitTemplate[] => [
  personalityTexts.technical[technical],
  personalityTexts.experience[experience],
  personalityTexts.collaboration[collaboration],
];

/** The description of a distance for a model that rewrites. */
export const distanceTemplate = (distance: Distance): { readonly name: string; readonly instruction: string } =>
  distanceTexts[`${distance}`];

/**
 * Phrases that may be replaced, each with the words of every technical orientation. Longer phrases first.
 */
export const lexicon: readonly { readonly phrase: string; readonly words: Readonly<Record<Technical, string>> }[] =
  Object.entries(lexiconTexts)
    .map(([phrase, words]) => ({
      phrase,
      words: Object.fromEntries(technicals.map((name, index) => [name, words[index]])) as Record<Technical, string>,
    }))
    .toSorted((a, b) => b.phrase.length - a.phrase.length);

/** How a technical orientation names a parameter; `{name}` is the old name. */
export const parameterNamePattern = (technical: Technical): string => parameterNames[technical];

/** Valence and arousal of an emotion, each -1, 0 or 1. */
export const affectOf = (emotion: Emotion): { readonly valence: number; readonly arousal: number } => affect[emotion];

/** The files as they were read, by name. */
export const templateFiles: Readonly<Record<string, unknown>> = {
  'emotions.json': emotionTexts,
  'personalities.json': personalityTexts,
  'contexts.json': contextTexts,
  'distances.json': distanceTexts,
  'affect.json': affect,
  'lexicon.json': lexiconTexts,
  'parameter-names.json': parameterNames,
};
