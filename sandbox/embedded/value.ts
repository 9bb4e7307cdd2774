/**
 * Checks that a text is an encoded `Value` (schemas/task.ts): what the harness writes, and nothing else that a program
 * could put there.
 */
const digits = /^-?[0-9]+$/;
const hex = /^(?:[0-9a-f]{2})*$/;
const float = /^(?:-?(?:[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?|inf)|nan)$/;

export function isValue(text: string): boolean {
  try {
    return checks(JSON.parse(text));
  } catch {
    return false;
  }
}

function checks(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 2 ** 53;
  if (Array.isArray(value)) return value.every(checks);
  const fields = Object.entries(value as Record<string, unknown>);
  const [field] = fields;
  return fields.length === 1 && field !== undefined && checksTagged(field[0], field[1]);
}

function checksTagged(tag: string, body: unknown): boolean {
  if (tag === 't' || tag === 's' || tag === 'fs') return Array.isArray(body) && body.every(checks);
  if (tag === 'd')
    return Array.isArray(body) && body.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(checks));
  if (tag === 'c')
    return (
      Array.isArray(body) && body.length === 2 && body.every((part) => typeof part === 'string' && float.test(part))
    );
  if (typeof body !== 'string') return false;
  if (tag === 'i') return digits.test(body);
  if (tag === 'f') return float.test(body);
  if (tag === 'b') return hex.test(body);
  return tag === 'x';
}
