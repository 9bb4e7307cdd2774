/** The deployment files against each other and the program: roles, keys, grace, ways out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { accountSchemas } from '../../schemas/spec/account.ts';
import { roles } from '../../workers/roles.ts';

const folder = fileURLToPath(new URL('../../deploy', import.meta.url));
const text = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
const documents = (...path: string[]): unknown[] =>
  parseAllDocuments(text(...path), { merge: true }).map((document) => document.toJS() as unknown);

const container = z.object({
  image: z.string(),
  args: z.array(z.string()),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }).optional() })),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});
const deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
      }),
    }),
  }),
});
const deployments = ['workflow', 'llm', 'sandbox'].map((name) => {
  const { metadata, spec } = deployment.parse(documents('kubernetes', `${name}.yaml`)[0]);
  const [worker] = spec.template.spec.containers;
  return {
    name: metadata.name,
    roles: String(worker.args[2]).split(','),
    secrets: worker.envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
    labels: spec.template.metadata.labels,
    selector: spec.selector.matchLabels,
    graceS: spec.template.spec.terminationGracePeriodSeconds,
  };
});

test('every role has its pods, and each of them once', () => {
  const served = deployments.flatMap((one) => one.roles);
  // `io` includes `seal`.
  expect([...served, 'seal'].toSorted()).toEqual([...roles].toSorted());
  for (const { labels, selector } of deployments) expect(labels).toMatchObject(selector);
});

test('keys of endpoints are where models are asked, and nowhere else', () => {
  const withKeys = deployments.filter(({ secrets }) => secrets.includes('evenkeel-endpoints'));
  expect(withKeys.map((one) => one.roles)).toEqual([['llm']]);
  const compose = z.object({ services: z.record(z.string(), z.object({ environment: z.unknown().optional() })) });
  const { services } = compose.parse(documents('compose.yaml')[0]);
  const keys = Object.entries(services).filter(([, { environment }]) =>
    JSON.stringify(environment)?.includes('API_KEY'),
  );
  expect(keys.map(([name]) => name)).toEqual(['llm']);
});

test('pods that ask models may take as long to end as a call that a spec allows', () => {
  const graceS = deployments.find((one) => one.roles.includes('llm'))?.graceS ?? 0;
  for (const { shape } of accountSchemas) {
    expect(shape.timeoutMs.safeParse(60_000).success).toBe(true);
    expect(shape.timeoutMs.safeParse(graceS * 1000).success).toBe(false);
  }
});

test('pods that run programs reach only the three servers and names', () => {
  const policy = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
      policyTypes: z.array(z.string()),
      egress: z
        .array(z.object({ to: z.array(z.unknown()).min(1), ports: z.array(z.object({ port: z.number() })).min(1) }))
        .optional(),
    }),
  });
  const policies = documents('kubernetes', 'network-policy.yaml').map((one) => policy.parse(one));
  const out = policies.find(({ spec }) => spec.policyTypes.includes('Egress'));
  const sandbox = deployments.find((one) => one.roles.includes('sandbox'));
  expect(sandbox?.labels).toMatchObject(out?.spec.podSelector.matchLabels ?? { none: '' });
  expect(out?.spec.egress?.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, 5432, 9000, 7233]);
});

test('the list of manifests names every file, and images are tagged with the version', () => {
  const { resources, images } = z
    .object({ resources: z.array(z.string()), images: z.array(z.object({ newTag: z.string() })) })
    .parse(documents('kubernetes', 'kustomization.yaml')[0]);
  const files = readdirSync(join(folder, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted());
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(text('..', 'package.json')));
  expect(new Set(images.map(({ newTag }) => newTag))).toEqual(new Set([version]));
  const tags = [...text('compose.yaml').matchAll(/image: evenkeel-\w+:(\S+)/g)].map(([, tag]) => tag);
  expect(new Set(tags)).toEqual(new Set([version]));
});
