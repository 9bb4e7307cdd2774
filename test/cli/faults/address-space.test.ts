/** A shell's limit on address space, which keeps WebAssembly from starting. */
import { expect, test } from 'vitest';
import { addressSpaceFault } from '../../../cli/faults/address-space.ts';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     
Max resident set          unlimited            unlimited            bytes     
Max address space         ${soft.padEnd(20)} unlimited            bytes     
`;

test.each([
  ['unlimited', null],
  [String(2 ** 41), null],
  [
    String(30 * 2 ** 30),
    'this shell limits address space to 30.0 GiB, too little for WebAssembly: `ulimit -v unlimited` lifts that',
  ],
])('a soft limit of %s', (soft, told) => {
  expect(addressSpaceFault(limits(soft))).toBe(told);
});

test('a system that does not say is taken to have enough', () => {
  expect(addressSpaceFault('')).toBeNull();
});
