/**
 * 64 bits of FNV-1a-like hash as 16 hex digits, over UTF-16 units: a key for caches and a label for
 * events. Not cryptographic. Two independent 32-bit lanes (FNV prime and a Murmur3 multiplier).
 */
export function hashText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0xcc9e2d51);
    b = (b << 13) | (b >>> 19);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
