/** Everything specific to one programming language. How its programs are run is in sandbox/container/languages.py. */
import type { CodeReading } from '../extraction/reading.ts';

export interface Language {
  /** Its name in prompts. */
  readonly title: string;
  /** Its tag of fenced blocks. */
  readonly fence: string;
  /** Other tags that models use. */
  readonly otherFences: readonly string[];
  /**
   * Runs as one file followed by its test code, which only a container supports. False for Python: on every tier it is
   * loaded as a module, called with values, timed and measured.
   */
  readonly isScript: boolean;
  /** Whether a file is compiled before it is run, which takes additional time. */
  readonly isCompiled: boolean;
  /** Whether MXEVAL's file of the language can be judged: the image can run its tests after a program. */
  readonly isInMxeval: boolean;
  /** Matches the beginning of the function's definition, at the start of a line. `name` has only word characters. */
  definition(name: string): RegExp;
  /** The signature of the prompt's function, without its description. */
  signature(prompt: string, entryPoint: string): string;
  /** Lines before the prompt's function that belong to the program. */
  imports(prompt: string): readonly string[];
  /** How a program in this language is found in a reply. */
  readonly reading: CodeReading;
  /** Programs that simulated models write. */
  readonly simulated: SimulatedPrograms;
}

export interface SimulatedPrograms {
  /** A program that fails every suite. */
  failing(name: string): string;
  /** Failing bodies, for prompts that end in an opening brace: they do not build, or end the process. */
  readonly failingBodies: readonly string[];
  /** A correct program, which looks up its arguments; null if tests do not give values, or there is a reference. */
  readonly lookup: Lookup | null;
}

/** Code that compares the given arguments with those of a case, and returns its value. */
export interface Lookup {
  open(name: string): string;
  answer(args: readonly string[], value: string): string;
  readonly close: string;
}

/** Function names are case-sensitive unless `flags` says otherwise. */
export const definedBy =
  (pattern: (name: string) => string, flags = 'm') =>
  (name: string): RegExp =>
    new RegExp(pattern(name), flags);

/** For prompts that end in a signature: the prompt from its function's definition on. */
export const signatureFrom =
  (definition: Language['definition']) =>
  (prompt: string, entryPoint: string): string =>
    prompt.slice(Math.max(0, prompt.search(definition(entryPoint)))).trimEnd();

export const noImports = (): readonly string[] => [];
