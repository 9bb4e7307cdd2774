/** Makes a program from an answer to a C++ prompt that ends in a signature: preamble, other definitions, function. */
import { commentBeforeSignature, findFunction, signatureName } from './cpp-text.ts';
import { topLevelParts } from './top-level-parts.ts';

/**
 * If the answer repeats the signature, its function counts, with its parameter names. Definitions that the prompt's
 * preamble already has are not taken from the answer again.
 */
export function cppProgram(code: string, prompt: string, entryPoint: string): string {
  if (signatureName(prompt) !== entryPoint || code.startsWith(prompt.trimEnd())) return code;
  const found = findFunction(code, entryPoint);
  if (found === null) return code;
  const described = commentBeforeSignature(prompt);
  const preamble = (
    described === null ? prompt.trimEnd().split('\n').slice(0, -1).join('\n') : prompt.slice(0, described.start - 2)
  ).trim();
  const known = new Set(topLevelParts(preamble).flatMap(definedNames));
  const isNew = (part: string): boolean => definedNames(part).every((name) => !known.has(name));
  const parts = (text: string): string => topLevelParts(text).filter(isNew).join('\n').trim();
  const pieces = [
    preamble,
    parts(code.slice(0, found.start)),
    code.slice(found.start, found.end),
    parts(code.slice(found.end)),
  ];
  return `${pieces.filter((piece) => piece !== '').join('\n')}\n`;
}

/** Names that a part of a file defines: of a header, a type, an alias or a function. */
function definedNames(part: string): string[] {
  const header = /^#\s*include\s*([<"][^>"]+[>"])/.exec(part)?.[1];
  if (header !== undefined) return [header];
  const type = /^(?:template\s*<[^>]*>\s*)?(?:struct|class|enum(?:\s+class)?|union)\s+(\w+)\s*(?:[:{;]|$)/m.exec(
    part,
  )?.[1];
  if (type !== undefined) return [type];
  const alias = /^(?:using\s+(\w+)\s*=|#\s*define\s+(\w+))/.exec(part);
  const named = alias?.[1] ?? alias?.[2] ?? /^[A-Za-z_][\w:<>,&*\s]*[\s&*>](\w+)\s*\([^;]*\)[^;{]*\{/.exec(part)?.[1];
  return named === undefined ? [] : [named];
}
