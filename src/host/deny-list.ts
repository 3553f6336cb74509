import { PathPatterns } from "./path-patterns.ts";

/**
 * Files that are never read, whatever ignore files say: they hold keys, passwords or tokens.
 * Patterns of a `.gitignore`, without regard to case. Names that only sound secret (`config.json`,
 * `settings.json`, `credentials.ts`) are code or plain configuration and not listed.
 */
const secretPatterns = [
  ".env*",
  "*.env",
  "*.pem",
  "*.key",
  "*.p8",
  "*.p12",
  "*.pfx",
  "*.ppk",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.agekey",
  "*.ovpn",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".npmrc",
  ".pypirc",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".dockercfg",
  ".git-credentials",
  ".vault-token",
  ".terraformrc",
  "*.tfvars",
  "*.tfstate",
  "*.tfstate.*",
  "kubeconfig",
  "*.kubeconfig",
  "credentials",
  "credentials.json",
  "credentials.xml",
  "credentials.y*ml",
  "credentials.toml",
  "credentials.ini",
  "credentials.csv",
  "secrets.json",
  "secrets.xml",
  "secrets.y*ml",
  "secrets.toml",
  "secrets.ini",
  "service-account*.json",
  ".*_history",
  ".aws/",
  ".ssh/",
  ".gnupg/",
  ".azure/",
  ".gcloud/",
  ".kube/",
  ".docker/",
  ".password-store/",
  ".secrets/",
  "secrets/",
] as const;

/** git looks at the case of names where the file system does. */
export const isCaseIgnored: boolean = process.platform === "win32" || process.platform === "darwin";

/**
 * A test for paths relative to a workspace, with `/`, at the end of folders too: true for a secret, and
 * for what the person's own patterns name. Those can take no secret back.
 */
export function denyTest(deny: readonly string[]): (path: string) => boolean {
  const secrets = PathPatterns.of(secretPatterns, { isCaseIgnored: true });
  const own = PathPatterns.of(deny, { isCaseIgnored });
  return (path) => secrets.match(path) || own.match(path);
}
