/** Commands that a message advises, for the folder of runs that the command line names. */
import { runsDirOption } from '../runs-dir-option.ts';

/**
 * Messages about damage come from code that knows a run, not how the user found it: a command without the user's
 * `--runs-dir` would look for it elsewhere.
 * @param runsDir null where the command line names none
 */
export const adviceHere = (message: string, runsDir: string | null): string =>
  runsDir === null
    ? message
    : message.replaceAll(advised, (command, quote: string, words: string) =>
        words.includes('--runs-dir') ? command : `${quote}${words}${runsDirOption(runsDir)}${quote}`,
      );

const advised = /([`"])(evenkeel (?:verify|resume|report|status) [^`"\n]+)\1/g;
