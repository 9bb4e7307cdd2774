/** The little of WebAssembly that the sandbox names; the compiler's own declarations come only with a browser's. */
// biome-ignore lint/style/noNamespace: a global that holds types can only be declared so.
declare namespace WebAssembly {
  class Global {
    value: number;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Table {
    readonly length: number;
  }
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  interface Instance {
    readonly exports: object;
  }
}
