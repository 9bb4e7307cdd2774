/** Shows an engine's output while it pulls or builds: one line per step, all of it only if a step fails. */
import type Docker from 'dockerode';

interface EngineEvent {
  readonly stream?: string;
  readonly error?: string;
}

const lastLines = 20;
const widthInCharacters = 120;
/** A step's first line, from Docker's and Podman's builders. */
const stepPattern = /^step \d+(?:\/\d+)? ?: /i;

/** Waits for the end of `stream`. On failure, passes all lines to `onProgress` and throws with the last ones. */
export function followEngine(
  docker: Docker,
  stream: NodeJS.ReadableStream,
  onProgress: (line: string) => void,
): Promise<void> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(
      stream,
      (error, events: EngineEvent[] | null) => {
        const failure = error?.message ?? events?.find((event) => event.error !== undefined)?.error;
        if (failure === undefined) {
          resolve();
          return;
        }
        for (const line of lines) onProgress(line);
        reject(new Error(`${failure}\n${lines.slice(-lastLines).join('\n')}`));
      },
      ({ stream: text }: EngineEvent) => {
        const said = (text ?? '').split('\n').filter((line) => line.trim() !== '');
        lines.push(...said);
        for (const step of said.filter((line) => stepPattern.test(line))) onProgress(step.slice(0, widthInCharacters));
      },
    );
  });
}
