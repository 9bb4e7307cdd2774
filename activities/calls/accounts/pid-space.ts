/** Names where a process id means something: this boot of this machine, and the namespace of its processes. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../../../domain/ids.ts';

let known: string | null = null;

/** Without a slash. Machines and containers may share a name; only elsewhere than on Linux does the name decide. */
export function pidSpace(): string {
  known ??= process.platform === 'linux' ? `${hostname()}-${sha256(bootAndNamespace()).slice(0, 12)}` : hostname();
  return known;
}

const bootAndNamespace = (): string =>
  `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`;
