/**
 * Memory that a worker and the main thread can both see without a copy. Where the host has no
 * `SharedArrayBuffer` the arrays own plain buffers, which `postMessage` copies or transfers.
 */

function bytes(byteLength: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === "undefined"
    ? new ArrayBuffer(byteLength)
    : new SharedArrayBuffer(byteLength);
}

/** `length` zeros. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(bytes(length * 4));
}

/** `length` zeros. */
export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(bytes(length * 2));
}
