/** What a message says of a file that could not be read. */
export const unreadable = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  return code === 'EISDIR' ? 'is a folder; expected a file' : `cannot be read: ${message}`;
};
