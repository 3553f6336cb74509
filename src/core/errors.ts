/**
 * Expected failures at a border. One table holds code, HTTP status, whether a retry makes sense and
 * a template of the message; the wire and `docs/errors.md` are compared with it by a test.
 */
export const errorTable = {
  BAD_REQUEST: {
    status: 400,
    retryable: false,
    says: "The request is malformed; the message names the field",
  },
  UNAUTHORIZED: { status: 401, retryable: false, says: "The token is missing or wrong" },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    says: "The Host or Origin header, or the path, is not allowed",
  },
  NOT_FOUND: { status: 404, retryable: false, says: "There is nothing at this address" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    says: "The address exists, the method does not",
  },
  BODY_TOO_LARGE: {
    status: 413,
    retryable: false,
    says: "The body is over the limit; the message names it",
  },
  NOT_JSON: { status: 415, retryable: false, says: "The body is not application/json" },
  OVERLOADED: { status: 503, retryable: true, says: "Too many requests wait; try again" },
  INTERNAL: {
    status: 500,
    retryable: false,
    says: "A fault of ours; the log has the stack under the request id",
  },
  BACKEND_UNREACHABLE: { status: 502, retryable: true, says: "No connection to the model server" },
  BACKEND_BAD_RESPONSE: {
    status: 502,
    retryable: false,
    says: "The model server answered something else than its protocol",
  },
  BACKEND_REFUSED: { status: 502, retryable: false, says: "The model server refused the request" },
  BACKEND_UNAUTHORIZED: { status: 502, retryable: false, says: "The model server refused the key" },
  BACKEND_RATE_LIMITED: {
    status: 503,
    retryable: true,
    says: "The model server asks to slow down",
  },
  BACKEND_OVERLOADED: {
    status: 503,
    retryable: true,
    says: "The model server is overloaded or still loading",
  },
  BACKEND_TIMEOUT: {
    status: 504,
    retryable: true,
    says: "The model server did not answer in time",
  },
  MODEL_UNKNOWN: {
    status: 400,
    retryable: false,
    says: "No prompt format is known for the model; set --format",
  },
  MODEL_WITHOUT_FIM: {
    status: 400,
    retryable: false,
    says: "The model was not trained to fill in the middle",
  },
  MODEL_NOT_FOUND: {
    status: 404,
    retryable: false,
    says: "There is no model of this name, here or in the catalogue",
  },
  MODEL_FILE_INVALID: {
    status: 400,
    retryable: false,
    says: "The file is no GGUF model, or only a part of one",
  },
  DOWNLOAD_FAILED: { status: 502, retryable: true, says: "A model could not be fetched" },
  CHECKSUM_MISMATCH: {
    status: 502,
    retryable: true,
    says: "What was fetched is not the file that it should be; it was removed",
  },
  MODEL_SERVER_FAILED: {
    status: 502,
    retryable: false,
    says: "A model server of our own is missing, or does not start",
  },
  CONTEXT_TOO_SMALL: {
    status: 400,
    retryable: false,
    says: "The context length leaves no room for a prompt",
  },
  CONFIG_INVALID: { status: 400, retryable: false, says: "A setting is unknown or out of range" },
  INDEX_LOCKED: {
    status: 503,
    retryable: true,
    says: "Another process writes the index of this workspace",
  },
  INDEX_CORRUPT: {
    status: 500,
    retryable: true,
    says: "The stored index cannot be read; it is built again",
  },
  WORKSPACE_UNREADABLE: {
    status: 400,
    retryable: false,
    says: "The folder does not exist or cannot be read",
  },
  STORAGE_FULL: { status: 507, retryable: false, says: "There is no room to write" },
  STORAGE_UNWRITABLE: {
    status: 507,
    retryable: false,
    says: "A place cannot be written; the message names why",
  },
  PORT_TAKEN: { status: 500, retryable: false, says: "The port is in use" },
} as const;

/** A key of `errorTable`. */
export type ErrorCode = keyof typeof errorTable;

/** An expected failure at a border. The message names the offending value and ends without a dot. */
export class CompletionError extends Error {
  override readonly name = "CompletionError";
  readonly code: ErrorCode;
  /** How long whoever refused wants to be left alone; `null` when nobody said. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  /** HTTP status of the code. */
  get status(): number {
    return errorTable[this.code].status;
  }

  /** Whether the same request may succeed later without a change. */
  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }
}
