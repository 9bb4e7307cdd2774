/** What becomes of a command that nobody reads any more: its pipe is closed (`| head -1`), or its terminal is gone. */
const gone: ReadonlySet<string> = new Set(['EPIPE', 'EIO']);

/** @param onGone called at each word that nobody takes; what was to be said is lost, and nothing else */
export function onClosedOutput(onGone: () => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!gone.has(error.code ?? '')) throw error;
      onGone();
    });
}
