/** Reads the policy file of a gate. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../domain/errors.ts';
import { type GatePolicy, gatePolicySchema } from '../domain/gate/policy.ts';
import { refusal } from '../domain/spec/faults.ts';
import { schemaFaults } from '../domain/spec/schema-faults.ts';
import { utf8Text } from '../domain/spec/utf8-text.ts';
import { unreadable } from '../domain/unreadable.ts';
import { readYaml } from '../domain/spec/yaml-text.ts';

/** Throws InputError listing every fault, with line and column. */
export async function readPolicyFile(path: string): Promise<GatePolicy> {
  const { value, ...places } = readYaml(utf8Text(await bytesOf(path), path), path, 'docs/ci.md has an example policy');
  const parsed = gatePolicySchema.safeParse(value);
  if (!parsed.success) throw refusal(schemaFaults(parsed.error.issues, { value, schema: gatePolicySchema }), places);
  return parsed.data;
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InputError(`${unreadable(error)}; docs/ci.md has an example policy`, { file: path });
  }
}
