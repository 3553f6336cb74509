/** The endpoints that only read: health, models, metrics, and the workspace for the page. */
import type { FastifyInstance } from "fastify";
import { CompletionError } from "../core/index.ts";
import type { WorkspaceFileReply, WorkspaceFilesReply } from "../protocol/workspace.ts";
import type { ServerOptions, WorkspaceFiles } from "./ports.ts";

/** Adds the routes. */
export function addReadRoutes(
  app: FastifyInstance,
  options: Pick<ServerOptions, "health" | "models" | "metrics" | "workspace">,
): void {
  app.get("/v1/health", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return options.health();
  });
  app.get("/v1/models", async () => options.models());
  app.get("/metrics", async (_request, reply) => {
    reply.type(options.metrics.contentType);
    return options.metrics.text();
  });
  app.get("/v1/workspace/files", async (_request, reply): Promise<WorkspaceFilesReply> => {
    reply.header("cache-control", "no-store");
    return open(options.workspace).list();
  });
  app.get("/v1/workspace/file", async (request, reply): Promise<WorkspaceFileReply> => {
    reply.header("cache-control", "no-store");
    return open(options.workspace).read(pathOf(request.query));
  });
}

function open(workspace: WorkspaceFiles | null): WorkspaceFiles {
  if (workspace === null) throw new CompletionError("NOT_FOUND", "no workspace is open");
  return workspace;
}

function pathOf(query: unknown): string {
  const path =
    typeof query === "object" && query !== null && "path" in query ? query.path : undefined;
  if (typeof path !== "string" || path === "") {
    throw new CompletionError("BAD_REQUEST", "path must be given once, as ?path=src/a.ts");
  }
  return path;
}
