/** Handles closed output: a closed pipe (`| head -1`) or a closed terminal. */
const gone: ReadonlySet<string> = new Set(['EPIPE', 'EIO']);

/** @param onGone called at each write that fails; the text is lost */
export function onClosedOutput(onGone: () => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!gone.has(error.code ?? '')) throw error;
      onGone();
    });
}
