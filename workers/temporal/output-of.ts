/** Runs a short command and collects its output. */
import { execFile } from 'node:child_process';

export type CommandResult =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly reason: string };

/** Standard output if the command exits with status 0 within `limitMs`; otherwise the reason. */
export function outputOf(
  command: string,
  args: readonly string[],
  options: {
    readonly limitMs: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly cwd?: string;
  },
): Promise<CommandResult> {
  const { limitMs, ...rest } = options;
  return new Promise((resolve) => {
    execFile(command, [...args], { ...rest, timeout: limitMs, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (error === null) resolve({ ok: true, output: stdout });
      else resolve({ ok: false, reason: stderr.trim() === '' ? error.message : stderr.trim() });
    });
  });
}
