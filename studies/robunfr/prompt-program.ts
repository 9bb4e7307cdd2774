/**
 * Prompt programs: the prompt of each workflow, with placeholders for problem, phrasing and code. A workflow with
 * {code} improves the Function-Only code of the same repetition, so it asks for that first; the others ask once.
 */
import shipped from '../../data/robunfr/prompt-programs.json' with { type: 'json' };
import type { ChatMessage } from '../../schemas/chat.ts';

export const workflowNames = ['function-only', 'nfr-integrated', 'nfr-enhanced'] as const;
export type WorkflowName = (typeof workflowNames)[number];

/** The user message of each workflow. */
export type PromptProgram = Readonly<Record<WorkflowName, string>>;

/** Values of the placeholders. `phrasing` and `code` are required if the text has a placeholder for them. */
export interface PromptParts {
  readonly problem: string;
  readonly phrasing?: string;
  readonly code?: string;
}

/** `derivative` is the default; `figure4` is the paper's simpler form. */
export const promptPrograms: Readonly<Record<keyof typeof shipped.programs, PromptProgram>> = shipped.programs;

type Place = keyof PromptParts;

/** Placeholders that a workflow's text must hold, and those that it may hold. */
const rules: Readonly<Record<WorkflowName, { readonly must: readonly Place[]; readonly may: readonly Place[] }>> = {
  'function-only': { must: ['problem'], may: [] },
  'nfr-integrated': { must: ['problem', 'phrasing'], may: [] },
  'nfr-enhanced': { must: ['phrasing', 'code'], may: ['problem'] },
};

/** The faults of a user's prompt program, one sentence each; empty if it is valid. */
export function promptProgramFaults(program: PromptProgram): string[] {
  return workflowNames.flatMap((workflow) => {
    const held = new Set(placesOf(program[workflow]));
    const { must, may } = rules[workflow];
    const missing = must.filter((place) => !held.has(place)).map((place) => `${workflow} has no {${place}}`);
    const foreign = [...held].filter((place) => !must.includes(place) && !may.includes(place));
    return [...missing, ...foreign.map((place) => `${workflow} cannot use {${place}}: it has no value there`)];
  });
}

/**
 * The single user message of a workflow. Values are inserted literally, in one pass: braces and dollar signs in them
 * have no effect. Throws if the text has a placeholder without a value.
 */
export function workflowMessages(program: PromptProgram, workflow: WorkflowName, parts: PromptParts): ChatMessage[] {
  const content = program[workflow].replaceAll(placePattern, (_, place: Place) => {
    const part = parts[place];
    if (part === undefined) throw new Error(`the prompt of ${workflow} uses {${place}}, but no value is given`);
    return part;
  });
  return [{ role: 'user', content }];
}

const placePattern = /\{(problem|phrasing|code)\}/g;

const placesOf = (text: string): Place[] => [...text.matchAll(placePattern)].map(([, place]) => place as Place);
