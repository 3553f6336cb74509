/** What no endpoint matches: a file of the page, a wrong method, or nothing. */
import type { FastifyInstance } from "fastify";
import { CompletionError } from "../core/index.ts";
import { pageContentSecurityPolicy } from "./security.ts";
import { readStaticFile } from "./static-files.ts";

/** Methods of every address that has a meaning of its own. */
export const allowedMethods: ReadonlyMap<string, string> = new Map([
  ["/", "GET, HEAD"],
  ["/dashboard", "GET, HEAD"],
  ["/metrics", "GET, HEAD"],
  ["/v1/autocomplete", "POST"],
  ["/v1/events", "POST"],
  ["/v1/health", "GET, HEAD"],
  ["/v1/models", "GET, HEAD"],
  ["/v1/stats", "GET, HEAD"],
  ["/v1/workspace/file", "GET, HEAD"],
  ["/v1/workspace/files", "GET, HEAD"],
]);

/** Adds the handler. `pageFolder` is `null` when there is no page. */
export function addPageRoutes(app: FastifyInstance, pageFolder: string | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const [path = "/"] = request.url.split("?", 1);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const allowed = allowedMethods.get(path);
    if (allowed !== undefined && !(isRead && allowed !== "POST")) {
      reply.header("allow", allowed);
      throw new CompletionError("METHOD_NOT_ALLOWED", `${path} takes ${allowed}`);
    }
    const file = isRead && pageFolder !== null ? await readStaticFile(pageFolder, path) : null;
    if (file === null)
      throw new CompletionError("NOT_FOUND", `there is nothing at ${path.slice(0, 100)}`);
    reply.headers({
      etag: file.etag,
      "cache-control": file.cacheControl,
      "content-security-policy": pageContentSecurityPolicy,
      "referrer-policy": "no-referrer",
    });
    if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
    return reply.type(file.contentType).send(file.bytes);
  });
}
