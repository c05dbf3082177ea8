import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";

const root = join(__dirname, "../..");

// What it does then, on the embedded cloud, is in test/life/smoke.test.ts.
test("npm run smoke starts only after confirmation", async () => {
  const folder = await mkdtemp(join(tmpdir(), "talos-aws-smoke-"));
  try {
    const settings = join(folder, "settings.yaml");
    const text = await readFile(join(root, "environments/Pulumi.sandbox.yaml"), "utf8");
    const { config } = parse(text) as { config: Record<string, unknown> };
    const { "talos-aws:dns": _none, ...others } = config;
    const own = { ...others, "talos-aws:domain": "talos.internal" };
    await writeFile(settings, stringify({ config: own }));
    const { code, output } = await smoke("--settings", settings, "--state-dir", folder);
    expect(output).toContain('makes the cluster "sandbox" in us-east-1');
    expect(output).toContain("under $1");
    expect(code).toBe(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function smoke(...args: string[]): Promise<{ code: number | null; output: string }> {
  const script = join(root, "dist/scripts/smoke.js");
  const child = spawn(process.execPath, [script, "sandbox", ...args]);
  const parts: string[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part.toString()));
  child.stderr.on("data", (part: Buffer) => parts.push(part.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output: parts.join("") };
}
