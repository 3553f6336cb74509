/** The public names of the backends, one by one. */

export type { BackendKind, BackendSpec } from "./backend-spec.ts";
export { parseBackendSpec } from "./backend-spec.ts";
export { chatWarning } from "./chat.ts";
export type { Choice, Chosen } from "./choose-server.ts";
export { chooseServer } from "./choose-server.ts";
export type { BackendOptions } from "./create-backend.ts";
export { createBackend, createChatBackend } from "./create-backend.ts";
export type { Found } from "./find-servers.ts";
export { findServers, usualPorts } from "./find-servers.ts";
export type { ProbeOptions } from "./probe.ts";
export { probeBackend } from "./probe.ts";
export type { ProbedModel, ProbedServer } from "./probed-server.ts";
export type { ServerExtras } from "./server-extras.ts";
export type { ServingFact, ServingReport } from "./serving-report.ts";
export { launchLines, servingReport } from "./serving-report.ts";
