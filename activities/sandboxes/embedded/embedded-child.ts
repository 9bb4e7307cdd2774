/** A child process of the embedded sandbox as a channel: requests in, replies out, and a notice of its end. */
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import {
  createReplySplitter,
  encodeFrame,
  type Reply,
  type Request,
  replyFd,
} from '../../../sandbox/embedded/protocol.ts';
import type { EmbeddedCommand } from './embedded-command.ts';

export interface EmbeddedChild {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  isAlive(): boolean;
  /** Sets the listener for the next replies, one at a time; it gets null at the child's end. */
  listen(listener: ((reply: Reply | null) => void) | null): void;
  send(request: Request): void;
  stop(): void;
  /** The end of its standard error, or why it could not be spawned. */
  complaint(): string;
}

const complaintChars = 2000;

export function spawnEmbeddedChild(command: EmbeddedCommand): EmbeddedChild {
  const child = spawn(command.file, command.args, {
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // A Ctrl-C is for the parent only, which ends its children when it is done with them.
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

/** Stops the child if its stream is broken or invalid. */
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
