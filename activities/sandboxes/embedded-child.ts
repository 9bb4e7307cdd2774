/** A spawned child of the embedded sandbox as a channel: requests in, replies out, and one sign that it is gone. */
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { createReplySplitter, encodeFrame, type Reply, type Request, replyFd } from '../../sandbox/embedded/protocol.ts';
import type { EmbeddedCommand } from './embedded-command.ts';

export interface EmbeddedChild {
  readonly pid: number;
  /** Resolves when the process is gone, for whatever reason. */
  readonly gone: Promise<void>;
  isAlive(): boolean;
  /** Who hears the next replies; null stands for the child's end. One listener at a time. */
  listen(listener: ((reply: Reply | null) => void) | null): void;
  send(request: Request): void;
  stop(): void;
  /** The last of what it wrote to its standard error, or why it could not be spawned. */
  complaint(): string;
}

const complaintChars = 2000;

export function spawnEmbeddedChild(command: EmbeddedCommand): EmbeddedChild {
  const child = spawn(command.file, command.args, {
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // A terminal's interrupt is for the parent, which ends its children when it has finished with them.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let complaint = '';
  let hears: ((reply: Reply | null) => void) | null = null;
  const stop = () => void child.kill('SIGKILL');
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      complaint = error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  void gone.then(() => hears?.(null));
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-complaintChars);
  });
  child.stdin?.on('error', stop);
  readReplies(child.stdio[replyFd] as Duplex, (reply) => hears?.(reply), stop);
  return { pid: child.pid ?? 0, gone, isAlive, listen, send, stop, complaint: () => complaint.trim() };

  function isAlive(): boolean {
    return child.pid !== undefined && child.exitCode === null && child.signalCode === null && !child.killed;
  }

  function listen(listener: ((reply: Reply | null) => void) | null): void {
    hears = listener;
  }

  function send(request: Request): void {
    child.stdin?.write(encodeFrame(request));
  }
}

/** A stream that is broken, or is not ours, is the end of the child. */
function readReplies(stream: Duplex, onReply: (reply: Reply) => void, stop: () => void): void {
  const split = createReplySplitter();
  stream.on('error', stop);
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const reply of split(chunk)) onReply(reply);
    } catch {
      stop();
    }
  });
}
