/** The text is not a Python expression, or not one that is supported. */
export class PythonSyntaxError extends Error {
  override readonly name = 'PythonSyntaxError';
}
