/** Asks for programs and runs them: in one step if the asking process can run programs too, otherwise in two. */
import { askedPrograms } from '../domain/asked-programs.ts';
import type { Executed, GenerateInput, Generated } from '../schemas/steps.ts';
import { llm, sandbox } from './activities.ts';

export async function generateAndExecute(input: GenerateInput): Promise<Generated & { readonly executed: Executed }> {
  const generated = await llm().generate({ ...input, execute: true });
  const executed = generated.executed ?? (await sandbox().execute(askedPrograms(input, generated.usable)));
  return { ...generated, executed };
}
