import type { Session } from "./session.ts";

/** Answers a request of an initialized client. `signal` aborts with its `$/cancelRequest`. */
export type RequestHandler = (session: Session, params: unknown, signal: AbortSignal) => unknown;

export type NotificationHandler = (session: Session, params: unknown) => void;
