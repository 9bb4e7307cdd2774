/** Text that is no Python expression, or one that is beyond what is read here. */
export class PythonSyntaxError extends Error {
  override readonly name = 'PythonSyntaxError';
}
