/** The servers of the test bed as its hosts reach them. */
import { type Link, linkTo } from './links.ts';
import { type Cluster, clusterVariables } from './start-cluster.ts';

export interface ClusterLinks {
  readonly database: Link;
  readonly objects: Link;
  readonly temporal: Link;
  /** What names the servers to a process of a host. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

export async function linksOf(cluster: Cluster): Promise<ClusterLinks> {
  const of = (address: string): Promise<Link> => linkTo(Number(new URL(address).port));
  const { AWS_ENDPOINT_URL: endpoint = '' } = cluster.objects.env;
  const database = await of(cluster.postgres.address);
  const objects = await of(endpoint);
  const temporal = await of(`tcp://${cluster.temporal.address}`);
  const store = new URL(cluster.postgres.address);
  store.host = database.address;
  // The server of the test bed speaks no TLS, and is on another host than its clients.
  store.searchParams.set('sslmode', 'disable');
  return {
    database,
    objects,
    temporal,
    env: {
      ...clusterVariables(cluster),
      EVENKEEL_STORE: store.href,
      AWS_ENDPOINT_URL: `http://${objects.address}`,
      TEMPORAL_ADDRESS: temporal.address,
    },
    close() {
      for (const link of [database, objects, temporal]) link.close();
    },
  };
}
