/** Reads the policy file of a gate. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../domain/errors.ts';
import { type GatePolicy, gatePolicySchema } from '../domain/gate/policy.ts';
import { refusal, type SpecText } from '../domain/spec/faults.ts';
import { schemaFaults } from '../domain/spec/schema-faults.ts';
import { utf8Text } from '../domain/spec/utf8-text.ts';
import { unreadable } from '../domain/unreadable.ts';
import { readYaml } from '../domain/spec/yaml-text.ts';

/** A policy, and where its values are in its file. */
export interface PolicyFile {
  readonly policy: GatePolicy;
  readonly places: SpecText;
}

/** Throws InputError listing every fault, with line and column. */
export async function readPolicyFile(path: string): Promise<PolicyFile> {
  const { value, ...places } = readYaml(utf8Text(await bytesOf(path), path), path, 'docs/ci.md has an example policy');
  const parsed = gatePolicySchema.safeParse(value);
  if (!parsed.success) throw refusal(schemaFaults(parsed.error.issues, { value, schema: gatePolicySchema }), places);
  return { policy: parsed.data, places };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InputError(`${unreadable(error)}; docs/ci.md has an example policy`, { file: path });
  }
}
