/** Asking for programs and running them: one step where the process that asks may run programs too, else one after the other. */
import { askedPrograms } from '../domain/asked-programs.ts';
import type { Executed, GenerateInput, Generated } from '../schemas/steps.ts';
import { llm, sandbox } from './activities.ts';

export async function generateAndExecute(input: GenerateInput): Promise<Generated & { readonly executed: Executed }> {
  const generated = await llm().generate({ ...input, execute: true });
  const executed = generated.executed ?? (await sandbox().execute(askedPrograms(input, generated.usable)));
  return { ...generated, executed };
}
