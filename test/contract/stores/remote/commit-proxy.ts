/** A proxy before PostgreSQL that loses the answers to commits. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Loss =
  /** The commit arrives, and its answer does not. */
  | { readonly how: 'answer' }
  /** The commit does not arrive. */
  | { readonly how: 'commit' }
  /** The client's side ends at once; the commit arrives later. */
  | { readonly how: 'late'; readonly afterMs: number };

export interface CommitProxy {
  readonly address: string;
  /** Of the next commits, one each. */
  lose(...losses: readonly Loss[]): void;
  /** The answer to the next statement with this text. */
  loseStatement(text: string): void;
  lost(): number;
  /** Ends all sessions, and lets none in until `restore`. */
  cut(): void;
  /** Lets no session in until `restore`. */
  refuseNew(): void;
  restore(): void;
}

/** Begin of a message of PostgreSQL's protocol: "Q", its length, the statement. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

/** @param store the address of a store, for which the proxy's stands in */
export async function commitProxy(store: string): Promise<CommitProxy> {
  const { port: serverPort, hostname } = new URL(store);
  const next: Loss[] = [];
  let lost = 0;
  let statement: string | null = null;
  let isCut = false;
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    if (isCut) return void client.destroy();
    clients.add(client);
    const server = createConnection({ port: Number(serverPort), host: hostname });
    let drops = false;
    client.on('data', (bytes) => {
      const isStatement = statement !== null && bytes.includes(statement);
      if (isStatement) statement = null;
      const loss: Loss | undefined = isStatement
        ? { how: 'answer' }
        : bytes.includes(commit)
          ? next.shift()
          : undefined;
      if (loss === undefined) return void server.write(bytes);
      lost += 1;
      drops = true;
      if (loss.how === 'late') client.destroy();
      if (loss.how === 'late') setTimeout(() => server.write(bytes), loss.afterMs);
      else if (loss.how === 'answer') server.write(bytes);
      else endBoth(client, server);
    });
    server.on('data', (bytes) => {
      if (drops) endBoth(client, server);
      else client.write(bytes);
    });
    client.on('error', () => {}).on('close', () => !drops && server.destroy());
    server.on('error', () => {}).on('close', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const address = store.replace(`:${serverPort}/`, `:${port}/`);
  return {
    address,
    lose: (...losses) => void next.push(...losses),
    loseStatement(text) {
      statement = text;
    },
    lost: () => lost,
    cut() {
      isCut = true;
      for (const client of clients) client.destroy();
    },
    refuseNew() {
      isCut = true;
    },
    restore() {
      isCut = false;
    },
  };
}

function endBoth(client: Socket, server: Socket): void {
  client.destroy();
  server.destroy();
}
