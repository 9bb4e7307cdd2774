/** The profile of `sandbox/container/seccomp.json` as the program that the kernel runs before each system call, for tiers without an engine that compiles it. */

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly { readonly index: number; readonly value: number; readonly valueTwo?: number; readonly op: string }[];
}

export interface SeccompProfile {
  readonly defaultErrnoRet: number;
  readonly syscalls: readonly Rule[];
}

/** linux/filter.h and linux/seccomp.h. */
const load = 0x20;
const and = 0x54;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
const allow = 0x7fff0000;
const refuse = 0x00050000;
const kill = 0x80000000;
/** Offsets in `struct seccomp_data`. */
const numberAt = 0;
const architectureAt = 4;
const argumentsAt = 16;
/** Numbers from here on are another architecture's (x32). */
const foreignNumbers = 0x40000000;

const architectures: Readonly<Record<string, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** `numbers`: of the system calls, by name; a name that the architecture lacks is left out. Throws on an architecture or an operator that is not known. */
export function seccompFilter(profile: SeccompProfile, numbers: Readonly<Record<string, number>>, arch: string): Buffer {
  const architecture = architectures[arch];
  if (architecture === undefined)
    throw new Error(`a seccomp filter is made for ${Object.keys(architectures).join(' and ')}, not for ${arch}`);
  const program: Instruction[] = [
    [load, 0, 0, architectureAt],
    [jumpIfEqual, 1, 0, architecture],
    [answer, 0, 0, kill],
    [load, 0, 0, numberAt],
    [jumpIfAtLeast, 0, 1, foreignNumbers],
    [answer, 0, 0, kill],
    ...profile.syscalls.flatMap((rule) => rule.names.flatMap((name) => ruleFor(rule, numbers[name]))),
    [answer, 0, 0, refuse | profile.defaultErrnoRet],
  ];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  }
  return bytes;
}

/** Where the arguments are wrong the call's number is loaded again, for the rules after this one. */
function ruleFor({ action, errnoRet, args }: Rule, number: number | undefined): Instruction[] {
  if (number === undefined) return [];
  const then: Instruction = [answer, 0, 0, action === 'SCMP_ACT_ALLOW' ? allow : refuse | (errnoRet ?? 1)];
  const [argument] = args ?? [];
  if (argument === undefined) return [[jumpIfEqual, 0, 1, number], then];
  const test = argumentTest(argument);
  return [[jumpIfEqual, 0, test.length + 2, number], ...test, then, [load, 0, 0, numberAt]];
}

/** Of the argument's lower half: all that the profile asks about is 32 bits wide. The last instruction skips what follows when the test fails. */
function argumentTest({ index, value, valueTwo, op }: NonNullable<Rule['args']>[number]): Instruction[] {
  const get: Instruction = [load, 0, 0, argumentsAt + 8 * index];
  if (op === 'SCMP_CMP_EQ') return [get, [jumpIfEqual, 0, 1, value]];
  if (op === 'SCMP_CMP_MASKED_EQ') return [get, [and, 0, 0, value], [jumpIfEqual, 0, 1, valueTwo ?? 0]];
  throw new Error(`a seccomp filter compares by SCMP_CMP_EQ and SCMP_CMP_MASKED_EQ, not by ${op}`);
}
