/** What a command says at its end after Ctrl-C. */
import { counted } from '../../domain/counted.ts';

export interface Interrupted {
  /** Calls without an end in the ledger: not waited for, or their answers could not be stored. */
  readonly open: number;
  /** Then answers may have been lost before. */
  readonly isDiskFull: boolean;
  /** The command that continues the run. */
  readonly command: string;
}

export function interruptedText({ open, isDiskFull, command }: Interrupted): string {
  const full = isDiskFull ? ' The disk is full: free some space first.' : '';
  const calls =
    open === 0
      ? ''
      : ` ${counted(open, 'call')} ${open === 1 ? 'has' : 'have'} no stored answer: charged at the most that ` +
        `${open === 1 ? 'it' : 'they'} can cost when the run is resumed, and asked again.`;
  const what = open === 0 && !isDiskFull ? 'nothing is lost.' : `all stored answers are safe.${calls}`;
  return `interrupted; ${what}${full}${full === '' ? ' Continue' : ' Then continue'} with:\n  ${command}`;
}
