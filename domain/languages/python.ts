import { signatureLines } from '../benchmarks/signature-prompt.ts';
import { pythonReading } from '../extraction/python-reading.ts';
import { definedBy, type Language } from './language.ts';

export const python: Language = {
  title: 'Python',
  fence: 'python',
  otherFences: ['python3', 'py'],
  isScript: false,
  isCompiled: false,
  isInMxeval: true,
  definition: definedBy((name) => String.raw`^(?:async\s+)?def\s+${name}\b|^${name}\s*=`),
  signature: (prompt, entryPoint) => signatureLines(prompt, entryPoint) ?? `def ${entryPoint}`,
  imports: (prompt) => prompt.split('\n').filter((line) => /^(?:import|from)\s/.test(line)),
  reading: pythonReading,
  simulated: {
    failing: (name) => `def ${name}(*args, **kwargs):\n    raise NotImplementedError\n`,
    failingBodies: [],
    lookup: null,
  },
};
