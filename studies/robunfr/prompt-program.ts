/**
 * Prompt programs: what each workflow asks, as text with places for the problem, the phrasing and the code. A workflow whose text holds
 * {code} improves the Function-Only code of the same repetition, so it asks for that first; the others ask once.
 */
import shipped from '../../data/robunfr/prompt-programs.json' with { type: 'json' };
import type { ChatMessage } from '../../schemas/chat.ts';

export const workflowNames = ['function-only', 'nfr-integrated', 'nfr-enhanced'] as const;
export type WorkflowName = (typeof workflowNames)[number];

/** The user message of each workflow. */
export type PromptProgram = Readonly<Record<WorkflowName, string>>;

/** What is put in the places of a text. `phrasing` and `code` are needed where the text has a place for them. */
export interface PromptParts {
  readonly problem: string;
  readonly phrasing?: string;
  readonly code?: string;
}

/** `derivative` is the default; `figure4` is the paper's simpler form. */
export const promptPrograms: Readonly<Record<keyof typeof shipped.programs, PromptProgram>> = shipped.programs;

type Place = keyof PromptParts;

/** Places that a workflow's text must hold, and those that it may. */
const rules: Readonly<Record<WorkflowName, { readonly must: readonly Place[]; readonly may: readonly Place[] }>> = {
  'function-only': { must: ['problem'], may: [] },
  'nfr-integrated': { must: ['problem', 'phrasing'], may: [] },
  'nfr-enhanced': { must: ['phrasing', 'code'], may: ['problem'] },
};

/** What is wrong with a program of a user's own, one sentence each; empty when it can be used. */
export function promptProgramFaults(program: PromptProgram): string[] {
  return workflowNames.flatMap((workflow) => {
    const held = new Set(placesOf(program[workflow]));
    const { must, may } = rules[workflow];
    const missing = must.filter((place) => !held.has(place)).map((place) => `${workflow} has no {${place}}`);
    const foreign = [...held].filter((place) => !must.includes(place) && !may.includes(place));
    return [...missing, ...foreign.map((place) => `${workflow} cannot have {${place}}: it is not known there`)];
  });
}

/**
 * The messages of a workflow: one, from the user. Parts are put in as they are, in one pass: braces or dollar signs in them mean nothing.
 * Throws where the text has a place for a part that is not given.
 */
export function workflowMessages(program: PromptProgram, workflow: WorkflowName, parts: PromptParts): ChatMessage[] {
  const content = program[workflow].replaceAll(placePattern, (_, place: Place) => {
    const part = parts[place];
    if (part === undefined) throw new Error(`the prompt of ${workflow} has a place for {${place}}, and none is given`);
    return part;
  });
  return [{ role: 'user', content }];
}

const placePattern = /\{(problem|phrasing|code)\}/g;

const placesOf = (text: string): Place[] => [...text.matchAll(placePattern)].map(([, place]) => place as Place);
