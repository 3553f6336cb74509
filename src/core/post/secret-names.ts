/**
 * How secrets are announced in source text: one list for the filter that hides them and for what cleans
 * prompts. The source of a regular expression without groups that capture, to be read without regard to case.
 */

/** Names that a secret value is given to; `_`, `-` or nothing between their words. */
export const secretNames: string =
  "secret|token|passw(?:or)?d|passwd|passphrase|pwd|credential|api[_-]?key|access[_-]?key|private[_-]?key|" +
  "auth[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|account[_-]?key|shared[_-]?key|" +
  "service[_-]?key|license[_-]?key|deploy[_-]?key|webhook|authorization|bearer|auth|dsn|salt|cookie";

/** The line that opens a private key. */
export const privateKeyStart: RegExp = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;

/** What people write in place of a secret. */
export const standIns: RegExp =
  /example|placeholder|your|xxx|change[_-]?me|dummy|sample|redacted|insert|replace|lorem|1234567|\*{3}|\.{3}/i;
