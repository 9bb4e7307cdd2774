/** Finds the task that a text is about by the names and words in it, as a model would. */
import { signatureName } from '../domain/extraction/cpp-text.ts';
import type { ProgramLanguage } from '../schemas/program.ts';
import { withoutFence } from './detail.ts';
import { documented } from './documented-program.ts';
import type { DocumentedProgram } from './documented-program.ts';
import { jaccard, readDescription, recallOf, wordsOf } from './words.ts';
import type { Description } from './words.ts';

export interface SimulatedTask {
  readonly taskId: string;
  /** Language of the programs; Python if not given. */
  readonly language?: ProgramLanguage;
  readonly entryPoint: string;
  /** The problem in the benchmark's words. */
  readonly description: string;
  /** A program that passes. */
  readonly reference: string;
  /** Programs that fail, established by running them. May throw `NotKnownYet` while they are being run. */
  readonly wrong: readonly string[];
}

export interface KnownTask {
  readonly task: SimulatedTask;
  readonly description: Description;
  /** Identifiers in the reference. */
  readonly names: ReadonlySet<string>;
  readonly reference: DocumentedProgram;
  readonly wrong: readonly DocumentedProgram[];
}

export interface Recognition {
  readonly known: KnownTask;
  /** Distinct words of the prompt. */
  readonly words: ReadonlySet<string>;
  /** Share of the description's content words that are in the prompt, 0 to 1. */
  readonly recall: number;
}

export interface TaskIndex {
  /**
   * The task whose entry point the prompt names and whose description it resembles most, or null if it names none.
   */
  recognizePrompt(prompt: string): Recognition | null;
  /**
   * The task in that language whose entry point the question names last, since the signature follows
   * the code; null if it names none.
   */
  recognizeTranslation(question: string, language: ProgramLanguage): KnownTask | null;
  /**
   * The task whose entry point the prompt defines last, for prompts that end in a signature. Null if it defines none.
   */
  recognizeSignature(prompt: string): Recognition | null;
  /**
   * The task that a program solves, by the functions that it defines or else by names that it shares with a reference;
   * null if unknown.
   */
  recognizeCode(code: string): KnownTask | null;
}

const identifier = /[A-Za-z_]\w*/g;
const calledName = /\b[A-Za-z_]\w*\b(?=\s*\()/g;
const definedName = /(?<=\bdef\s+)[A-Za-z_]\w*/g;
/** A name in more references than this does not identify a task. */
const commonName = 20;

const indexes = new WeakMap<readonly SimulatedTask[], TaskIndex>();

/**
 * The index of a list of tasks, created on first use and shared by models with the same list. The list must not change.
 */
export function taskIndexOf(tasks: readonly SimulatedTask[]): TaskIndex {
  const index = indexes.get(tasks) ?? createTaskIndex(tasks);
  indexes.set(tasks, index);
  return index;
}

export function createTaskIndex(tasks: readonly SimulatedTask[]): TaskIndex {
  const knownTasks = tasks.map(knownTask);
  const byEntryPoint = Map.groupBy(knownTasks, ({ task }) => task.entryPoint);
  const byReferenceName = referenceNames(knownTasks);
  const namedIn = (names: Iterable<string>): KnownTask[] =>
    [...new Set(names)].flatMap((name) => byEntryPoint.get(name) ?? []);

  function recognizePrompt(prompt: string): Recognition | null {
    const called = namedIn(prompt.match(calledName) ?? []);
    return mostAlike(called.length > 0 ? called : namedIn(prompt.match(identifier) ?? []), prompt);
  }

  function recognizeSignature(prompt: string): Recognition | null {
    const begun = signatureName(withoutFence(prompt));
    if (begun !== null && byEntryPoint.has(begun)) return mostAlike(namedIn([begun]), prompt);
    const last = (prompt.match(definedName) ?? []).findLast((name) => byEntryPoint.has(name));
    return last === undefined ? null : mostAlike(namedIn([last]), prompt);
  }

  function recognizeCode(code: string): KnownTask | null {
    const defined = namedIn(code.match(definedName) ?? []);
    if (defined.length === 1) return defined[0] ?? null;
    const names = new Set(code.match(identifier));
    const candidates = defined.length > 0 ? defined : [...names].flatMap((name) => byReferenceName.get(name) ?? []);
    if (candidates.length < 2) return candidates[0] ?? null;
    return best([...new Set(candidates)], ({ names: own }) => jaccard(own, names));
  }

  function recognizeTranslation(question: string, language: ProgramLanguage): KnownTask | null {
    const names = (question.match(identifier) ?? []).toReversed();
    const candidates = namedIn(names).filter(({ task }) => (task.language ?? 'python') === language);
    return candidates[0] ?? null;
  }

  return { recognizePrompt, recognizeSignature, recognizeTranslation, recognizeCode };
}

function knownTask(task: SimulatedTask): KnownTask {
  let wrong: readonly DocumentedProgram[] | undefined;
  return {
    task,
    description: readDescription(task.description),
    names: new Set(task.reference.match(identifier)),
    reference: documented(task.reference, task.entryPoint),
    /** Read by the first wrong answer, since the programs may not be known before. */
    get wrong() {
      wrong ??= task.wrong.map((program) => documented(program, task.entryPoint));
      return wrong;
    },
  };
}

/** The task with the largest share of its description in the prompt. */
function mostAlike(candidates: readonly KnownTask[], prompt: string): Recognition | null {
  const words = wordsOf(prompt);
  const recognitions = candidates.map((known) => ({ known, words, recall: recallOf(known.description, words) }));
  // If the prompt contains two whole descriptions, the longer one covers more of it. Of two with the same words, such
  // as brackets "(" and brackets "<", the one that stands there as written.
  const written = candidates.length > 1 ? withoutSpace(prompt) : '';
  const isWritten = ({ task }: KnownTask): boolean => written.includes(withoutSpace(task.description));
  return best(recognitions, ({ recall, known }) => {
    const worth = recall + known.description.content.size / 1e6;
    return written !== '' && isWritten(known) ? worth + 1e-7 : worth;
  });
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

/** Tasks by each rare name in their references. */
function referenceNames(knownTasks: readonly KnownTask[]): Map<string, KnownTask[]> {
  const named = knownTasks.flatMap((known) => [...known.names].map((name) => ({ name, known })));
  const groups = [...Map.groupBy(named, ({ name }) => name)].filter(([, group]) => group.length <= commonName);
  return new Map(groups.map(([name, group]) => [name, group.map(({ known }) => known)]));
}

/** The first item with the highest value, or null for an empty list. */
function best<Item>(items: readonly Item[], worth: (item: Item) => number): Item | null {
  let winner: { item: Item; value: number } | null = null;
  for (const item of items) {
    const value = worth(item);
    if (winner === null || value > winner.value) winner = { item, value };
  }
  return winner?.item ?? null;
}
