/**
 * The one host type that pure code may name. Every runtime we target has it; the pure layers are
 * compiled without "dom" and without "node", so it is declared here, as small as we use it.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare var AbortController: { new (): AbortController };
