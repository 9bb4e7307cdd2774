/**
 * Hosts of the test bed: network namespaces of this machine. Each reaches only this machine's address of the test bed,
 * and not the other hosts or the Internet. Needs root and `ip` (Debian: iproute2).
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Of this machine, as the hosts see it; from the range for tests of networks (RFC 2544). */
export const testBedAddress = '198.18.0.1';

export interface Host {
  readonly name: string;
  /** As the servers see it. */
  readonly address: string;
  /** Begin of a command that runs on the host. */
  readonly command: readonly string[];
  /** As if its cable were pulled: nothing arrives, in both directions, and no connection is told. */
  cut(): void;
  restore(): void;
}

export interface Hosts {
  readonly hosts: readonly Host[];
  /** Processes on the hosts must have ended. */
  remove(): void;
}

/** Why this machine cannot have hosts; null if it can. */
export function noHosts(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'hosts need root on Linux';
  try {
    execFileSync('ip', ['netns', 'list'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'hosts need the command ip, and network namespaces';
  }
}

/** One test bed at a time: throws if a host of that name runs something. */
export function makeHosts(count: number): Hosts {
  ip('address', 'replace', `${testBedAddress}/32`, 'dev', 'lo');
  const hosts = Array.from({ length: count }, (_, index) => makeHost(index + 1));
  return {
    hosts,
    remove() {
      for (const [index, { name }] of hosts.entries()) {
        ip('link', 'delete', linkOf(index + 1));
        ip('netns', 'delete', name);
      }
      ip('address', 'delete', `${testBedAddress}/32`, 'dev', 'lo');
    },
  };
}

const linkOf = (number: number): string => `ekhost${number}`;

function makeHost(number: number): Host {
  const [name, link] = [`evenkeel-host${number}`, linkOf(number)];
  const [address, gateway] = [`198.18.${number}.2`, `198.18.${number}.1`];
  removeIdle(name, link);
  ip('netns', 'add', name);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('address', 'add', `${gateway}/24`, 'dev', link);
  ip('link', 'set', link, 'up');
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
  ip('-n', name, 'route', 'add', `${testBedAddress}/32`, 'via', gateway);
  return {
    name,
    address,
    command: ['ip', 'netns', 'exec', name],
    cut: () => ip('link', 'set', link, 'down'),
    restore: () => ip('link', 'set', link, 'up'),
  };
}

/** One that a killed test bed left behind. */
function removeIdle(name: string, link: string): void {
  if (!existsSync(join('/run/netns', name))) return;
  const pids = execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).trim();
  if (pids !== '')
    throw new Error(`${name} is in use, by the processes ${pids.replaceAll('\n', ', ')}: end them first`);
  if (existsSync(join('/sys/class/net', link))) ip('link', 'delete', link);
  ip('netns', 'delete', name);
}

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
