/**
 * Starts what a store beyond one machine needs, on this machine: PostgreSQL, an S3 server and Temporal. Prints the
 * variables that name them, and stops them at Ctrl-C, with all that they stored: npm run cluster
 * With `-- --hosts 4` (as root): four hosts too, network namespaces that reach nothing but these servers.
 */
import { parseArgs } from 'node:util';
import { makeHosts, noHosts } from './cluster/hosts.ts';
import { linksOf } from './cluster/links-of-hosts.ts';
import { clusterVariables, startCluster } from './cluster/start-cluster.ts';

const { hosts: wanted } = parseArgs({ options: { hosts: { type: 'string', default: '0' } } }).values;
const count = Number(wanted);
if (!Number.isInteger(count) || count < 0 || count > 200)
  throw new Error(`--hosts must be a whole number from 0 to 200, got ${wanted}`);
const missing = count > 0 ? noHosts() : null;
if (missing !== null) throw new Error(missing);

const closing: (() => void | Promise<void>)[] = [];
try {
  const cluster = await startCluster(console.error);
  closing.push(cluster.stop);
  for (const [name, value] of Object.entries(await (count > 0 ? onHosts() : clusterVariables(cluster))))
    console.log(`export ${name}=${value}`);
  console.error('Ctrl-C stops them');
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));

  async function onHosts(): Promise<Readonly<Record<string, string>>> {
    const { hosts, remove } = makeHosts(count);
    closing.push(remove);
    const links = await linksOf(cluster);
    closing.push(links.close);
    for (const { name, command } of hosts) console.error(`on ${name}: ${command.join(' ')} COMMAND`);
    return links.env;
  }
} finally {
  for (const close of closing.reverse()) await close();
}
