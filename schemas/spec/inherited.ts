/** Names that every object of JavaScript has: maps by name are plain objects, in which these would always be found. */

export const isOwnName = (name: string): boolean => !(name in Object.prototype);
export const ownNameRule = 'must not be a name that every JavaScript object has, such as constructor';
