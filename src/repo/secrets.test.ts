/**
 * The goal: of 200 synthetic secrets, 60 of which have no form of their own, at least 95 % are found, and
 * of 2,000 clean lines at most two are taken for one. Secrets are made from a seed; clean lines are this
 * project's own sources and what looks like a secret and is none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretNames } from "../core/index.ts";
import { createRandom } from "../stats/random.ts";
import { hasPlaceholder, redactSecrets } from "./secrets.ts";

const random = createRandom(20_261_130);
const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const base62 = letters + letters.toUpperCase() + digits;
const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => random.pick([...alphabet])).join("");

/** Keys whose form tells who issued them, each in a line as people write it. */
const issued: readonly (() => readonly [line: string, secret: string])[] = [
  () =>
    inLine(
      (key) => `aws_access_key_id = ${key}`,
      `AKIA${draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`,
    ),
  () => inLine((key) => `const token = "${key}";`, `ghp_${draw(base62, 36)}`),
  () =>
    inLine(
      (key) => `git clone https://${key}@github.com/a/b`,
      `github_pat_${draw(base62, 22)}_${draw(base62, 40)}`,
    ),
  () => inLine((key) => `  token: ${key}`, `glpat-${draw(`${base62}_`, 20)}`),
  () =>
    inLine(
      (key) => `SLACK=${key}`,
      `xoxb-${draw(digits, 11)}-${draw(digits, 11)}-${draw(base62, 24)}`,
    ),
  () => inLine((key) => `maps.load("${key}")`, `AIza${draw(`${base62}_-`, 35)}`),
  () => inLine((key) => `stripe = Stripe('${key}')`, `sk_live_${draw(base62, 24)}`),
  () => inLine((key) => `client = Client(api_key="${key}")`, `sk-ant-api03-${draw(base62, 40)}`),
  () => inLine((key) => `//registry.example/:_authToken=${key}`, `npm_${draw(base62, 36)}`),
  () => inLine((key) => `HF_TOKEN=${key}`, `hf_${draw(base62, 34)}`),
  () => inLine((key) => `mail.send("${key}")`, `SG.${draw(base62, 22)}.${draw(base62, 43)}`),
  () =>
    inLine((key) => `auth: ${key}`, `eyJhbGciOiJIUzI1NiJ9.${draw(base62, 60)}.${draw(base62, 43)}`),
  () => inLine((key) => `url = "postgres://app:${key}@db:5432/app"`, draw(base62, 16)),
  () => inLine((key) => `-H "Authorization: Bearer ${key}"`, draw(base62, 40)),
];

/** Values that only their name, or their own disorder, gives away. */
const formless: readonly (() => readonly [line: string, secret: string])[] = [
  () => inLine((key) => `const apiKey = "${key}";`, draw(base62, 32)),
  () => inLine((key) => `SESSION_SECRET=${key}`, draw(base62, 40)),
  () =>
    inLine(
      (key) => `  password: "${key}"`,
      `${draw(base62, 7)}!${draw(digits, 2)}${draw(base62, 6)}`,
    ),
  () => inLine((key) => `"client_secret": "${key}",`, draw("0123456789abcdef", 32)),
  () => inLine((key) => `signing_key = '${key}'`, draw(`${base62}+/`, 44)),
  () => inLine((key) => `fetch(url + "?access_token=${key}")`, draw(base62, 28)),
  () => inLine((key) => `conn = connect("${key}")`, draw(base62, 40)),
  () => inLine((key) => `  - name: DEPLOY_TOKEN\n    token: ${key}`, draw(base62, 32)),
  () => inLine((key) => `X-Api-Key: ${key}`, draw(base62, 36)),
  () => inLine((key) => `private_key := "${key}"`, draw(`${base62}_-`, 43)),
];

function inLine(write: (key: string) => string, key: string): readonly [string, string] {
  return [write(key), key];
}

/** Looks like one and is none. */
function decoy(): string {
  const hex = (length: number): string => draw("0123456789abcdef", length);
  return random.pick([
    `commit ${hex(40)}`,
    `"integrity": "sha512-${draw(`${base62}+/`, 86)}==",`,
    `const id = "${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}";`,
    `color: #${hex(6)}; background: url(/assets/img-${hex(8)}.png);`,
    `import { tokenCounter } from "./prompt/token-counter.ts";`,
    `const password = await readPassword(terminal, { isHidden: true });`,
    `const token = tokens[index] ?? nextToken(lexer, state);`,
    `apiKey: process.env.MY_SERVICE_API_KEY,`,
    `expect(user.password).toBe("your-password-here");`,
    `const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";`,
    `const secretSanta = pickSecretSanta(participants, randomSeed);`,
    `https://example.com/docs/authentication/access-tokens#rotate`,
  ]);
}

function ownLines(): string[] {
  const src = join(import.meta.dirname, "..");
  const paths = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
  return paths.flatMap((path) => readFileSync(join(src, path), "utf8").split("\n"));
}

describe("secrets", () => {
  it("are found: at least 95 % of 200, 60 of them without a form of their own", () => {
    const secrets = [
      ...Array.from({ length: 140 }, (_, i) => issued[i % issued.length]?.()),
      ...Array.from({ length: 60 }, (_, i) => formless[i % formless.length]?.()),
    ].filter((entry) => entry !== undefined);
    const missed = secrets.filter(([line, secret]) => {
      const clean = redactSecrets(line);
      expect(clean).toHaveLength(line.length);
      return clean.includes(secret) || clean.includes(secret.slice(0, 10));
    });
    expect(secrets).toHaveLength(200);
    expect(missed.map(([line]) => line).slice(10)).toEqual([]);
  });

  it("are not seen where there are none: at most two of 2,000 lines", () => {
    const own = random
      .shuffled(ownLines().filter((line) => line.trim().length > 12))
      .slice(0, 1_500);
    const lines = [...own, ...Array.from({ length: 500 }, decoy)];
    const wrong = lines.filter((line) => redactSecrets(line) !== line);
    expect(lines).toHaveLength(2_000);
    expect(wrong.slice(2)).toEqual([]);
  });

  it("inside a private key are whole lines, the code around it stays", () => {
    const body = [draw(base62, 64), draw(base62, 64), draw(base62, 30)].join("\n");
    const text = `const pem = \`-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\`;\nnext();\n`;
    const clean = redactSecrets(text);
    expect(clean).toContain("next();");
    for (const line of body.split("\n")) expect(clean).not.toContain(line.slice(0, 12));
    expect(hasPlaceholder(clean)).toBe(true);
  });

  it("become text of the same length with the same line ends, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const clean = redactSecrets(text);
        expect(clean).toHaveLength(text.length);
        expect(clean.split("\n").map((line) => line.length)).toEqual(
          text.split("\n").map((line) => line.length),
        );
      }),
    );
  });

  it("are looked for in linear time", () => {
    const nasty = `${"token=".repeat(20_000)}\n${"a1B".repeat(30_000)}\n${"://a:".repeat(20_000)}`;
    expect(redactSecrets(nasty)).toHaveLength(nasty.length);
  });
});

it("replaces a random value whatever name of the list it has", () => {
  const names = secretNames
    .split("|")
    .map((name) => name.replace("(?:or)?", "or").replaceAll("[_-]?", "_"));
  const value = draw(base62, 24);
  const missed = names.filter((name) => redactSecrets(`my_${name} = "${value}"`).includes(value));
  expect(missed).toEqual([]);
});
