/** Prompts that begin a program: imports, helpers, and a signature with its docstring. */
import { boundNames, statementsOf } from '../extraction/statements.ts';

/** The statements before the entry point's definition. */
export function preambleOf(prompt: string, entryPoint: string): string {
  const statements = statementsOf(prompt);
  const own = statements.findIndex((statement) => boundNames(statement).includes(entryPoint));
  return statements
    .slice(0, own === -1 ? statements.length : own)
    .map(({ text }) => text)
    .join('\n');
}

/** The lines of the definition up to its colon; null if `source` does not define the name with `def`. */
export function signatureLines(source: string, entryPoint: string): string | null {
  const definition = statementsOf(source).find(
    (statement) => boundNames(statement)[0] === entryPoint && statement.head.startsWith('def '),
  );
  const lines = definition?.text.split('\n') ?? [];
  const from = lines.findIndex((line) => line.startsWith('def '));
  const to = lines.findIndex((line, index) => index >= from && /:\s*(?:#.*)?$/.test(line));
  return from === -1 || to === -1 ? null : lines.slice(from, to + 1).join('\n');
}

/** `signatureLines` with `text` as the docstring; null if `source` does not define the name with `def`. */
export function signaturePrompt(source: string, entryPoint: string, text: string): string | null {
  const signature = signatureLines(source, entryPoint);
  if (signature === null) return null;
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  return `${signature}\n    """${quoted.endsWith('"') ? `${quoted} ` : quoted}"""\n`;
}
