/** The public names of the backends, one by one. */

export type { BackendKind, BackendSpec } from "./backend-spec.ts";
export { adapterKinds, parseBackendSpec } from "./backend-spec.ts";
export type { BackendOptions } from "./create-backend.ts";
export { createBackend } from "./create-backend.ts";
