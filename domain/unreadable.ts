/** What a message says of a file that could not be read. */
export const unreadable = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `cannot be read: ${message}`;
};

const denied = 'cannot be read: permission denied; change its permissions, or those of its folders (ls -ld shows them)';
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder; expected a file',
  ENOTDIR: 'no such file: a part of this path that should be a folder is a file',
  ELOOP: 'is a symbolic link that points back to itself',
  EACCES: denied,
  EPERM: denied,
};
