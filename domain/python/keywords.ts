/**
 * Python's reserved words, which cannot be names: `keyword.kwlist` of CPython 3.7 and later. Soft keywords such as
 * `match` can be names.
 */
export const pythonKeywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
