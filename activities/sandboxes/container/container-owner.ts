/** Labels that identify a container's owner, so that leftovers of a crash can be told from containers in use. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type Docker from 'dockerode';

const slotLabel = 'evenkeel.slot';
const ownerLabel = 'evenkeel.owner';

export function ownerLabels(): Record<string, string> {
  return { [slotLabel]: '1', [ownerLabel]: ownerOf(process.pid) };
}

/** Removes containers whose owner was a process on this machine that has died. Containers of other machines stay. */
export async function clearOrphans(docker: Docker): Promise<number> {
  const found = await docker.listContainers({ all: true, filters: { label: [`${slotLabel}=1`] } });
  const orphans = found.filter(({ Labels }) => isGone(Labels[ownerLabel] ?? ''));
  await Promise.all(
    orphans.map(({ Id }) =>
      docker
        .getContainer(Id)
        .remove({ force: true })
        .catch(() => undefined),
    ),
  );
  return orphans.length;
}

/** Machine and boot, process id, and start time of the process: a reused pid is another owner. */
function ownerOf(pid: number): string {
  return `${machine()} ${pid} ${startOf(pid)}`;
}

function isGone(owner: string): boolean {
  const [host, pid] = owner.split(' ');
  if (host === undefined || host.split('/')[0] !== hostname()) return false;
  return host !== machine() || ownerOf(Number(pid)) !== owner;
}

function machine(): string {
  return `${hostname()}/${read('/proc/sys/kernel/random/boot_id').trim()}`;
}

/** Start time in clock ticks since boot; empty if the process does not exist. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
