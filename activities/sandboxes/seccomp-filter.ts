/**
 * Compiles the profile of `sandbox/container/seccomp.json` to the filter program that the kernel runs before each
 * system call, for tiers without a container engine to do so.
 */

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly {
    readonly index: number;
    readonly value: number;
    readonly valueTwo?: number;
    readonly op: string;
  }[];
}

export interface SeccompProfile {
  readonly defaultErrnoRet: number;
  readonly syscalls: readonly Rule[];
}

/** From linux/filter.h and linux/seccomp.h. */
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
/** System call numbers from here on belong to another architecture (x32). */
const foreignNumbers = 0x40000000;

const architectures: Readonly<Record<string, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * @param numbers numbers of the system calls, by name; names that the architecture lacks are skipped
 * @throws for an unknown architecture or operator
 */
export function seccompFilter(
  profile: SeccompProfile,
  numbers: Readonly<Record<string, number>>,
  arch: string,
): Buffer {
  const architecture = architectures[arch];
  if (architecture === undefined)
    throw new Error(`seccomp filters support ${Object.keys(architectures).join(' and ')}, not ${arch}`);
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

/** If the arguments do not match, loads the call's number again for the following rules. */
function ruleFor({ action, errnoRet, args }: Rule, number: number | undefined): Instruction[] {
  if (number === undefined) return [];
  const then: Instruction = [answer, 0, 0, action === 'SCMP_ACT_ALLOW' ? allow : refuse | (errnoRet ?? 1)];
  const [argument] = args ?? [];
  if (argument === undefined) return [[jumpIfEqual, 0, 1, number], then];
  const test = argumentTest(argument);
  return [[jumpIfEqual, 0, test.length + 2, number], ...test, then, [load, 0, 0, numberAt]];
}

/**
 * Tests the argument's lower half, since all values in the profile are 32 bits wide. If the test fails, the last
 * instruction skips the following ones.
 */
function argumentTest({ index, value, valueTwo, op }: NonNullable<Rule['args']>[number]): Instruction[] {
  const get: Instruction = [load, 0, 0, argumentsAt + 8 * index];
  if (op === 'SCMP_CMP_EQ') return [get, [jumpIfEqual, 0, 1, value]];
  if (op === 'SCMP_CMP_MASKED_EQ') return [get, [and, 0, 0, value], [jumpIfEqual, 0, 1, valueTwo ?? 0]];
  throw new Error(`seccomp filters support SCMP_CMP_EQ and SCMP_CMP_MASKED_EQ, not ${op}`);
}
