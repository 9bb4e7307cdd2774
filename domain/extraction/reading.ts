/** How programs of one language are found in replies; every extraction rule is built from these operations. */
import type { ExtractedCode, FoundCode } from './extract-code.ts';

/** The function to find. The prompt ends in its signature, if it has one. */
export interface WantedFunction {
  readonly entryPoint: string;
  readonly prompt: string;
}

export interface CodeReading {
  /** Whether a block with this tag may contain a program of the language. */
  owns(tag: string): boolean;
  defines(text: string, entryPoint: string): boolean;
  /** The last block that defines the function, cleaned up, with the helpers it needs. Never throws. */
  lastDefining(reply: string, wanted: WantedFunction): ExtractedCode;
  /** A chosen text, whole or as a body, completed by the prompt it answers; null for prose without block or code. */
  completed(found: FoundCode, wanted: WantedFunction): ExtractedCode | null;
  /** A chosen text as a program that tests can be appended to. */
  whole(found: FoundCode, wanted: WantedFunction): ExtractedCode;
}
