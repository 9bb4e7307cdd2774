/** Thrown through the WebAssembly frames of a program to end it where it stands; the program cannot catch it. */
import type { ProgramEnd } from '../../schemas/program.ts';

export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded';
  readonly end: ProgramEnd;

  constructor(end: ProgramEnd, detail: string) {
    super(detail);
    this.end = end;
  }
}
