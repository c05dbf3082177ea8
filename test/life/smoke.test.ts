import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { CreateHostedZoneCommand } from "@aws-sdk/client-route-53";
import { parse, stringify } from "yaml";
import { type Emulator, startEmulator } from "../../emulator";
import { openAccount } from "../engine/support/account";
import { engineFromEnvironment } from "../engine/support/engineFromEnvironment";

const root = join(__dirname, "../..");

// The command itself, on the embedded cloud in the place of an account.
describe("npm run smoke", () => {
  let emulator: Emulator;
  let folder: string;
  let settings: string;

  beforeAll(async () => {
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/smoke-"));
    emulator = await startEmulator({
      timings: { bootMs: 200, rebootMs: 200, shutdownMs: 200, joinMs: 200 },
    });
    const account = openAccount(emulator);
    await account.route53.send(
      new CreateHostedZoneCommand({ Name: "talos.internal", CallerReference: "smoke" }),
    );
    account.close();
    settings = join(folder, "settings.yaml");
    const text = await readFile(join(root, "environments/Pulumi.sandbox.yaml"), "utf8");
    const { config } = parse(text) as { config: Record<string, unknown> };
    const { "talos-aws:dns": _none, ...others } = config;
    const own = {
      "talos-aws:domain": "talos.internal",
      "talos-aws:operatorCidrs": ["127.0.0.0/8"],
    };
    await writeFile(settings, stringify({ config: { ...others, ...own } }));
  });

  afterAll(async () => {
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("tries everything, destroys everything, and reports", async () => {
    const report = join(folder, "report.md");
    const { code, output } = await smoke("--yes", "--settings", settings, "--report", report);
    const text = existsSync(report) ? await readFile(report, "utf8") : output;
    expect(text).toContain("# Smoke test of sandbox: passed");
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.slice(2).filter((line) => !line.includes("| ok |"))).toEqual([]);
    expect(rows).toHaveLength(2 + 7);
    expect(text).toContain("nothing is left");
    expect(existsSync(join(folder, "state/sandbox"))).toBe(false);
    expect(code).toBe(0);
  });

  async function smoke(...args: string[]): Promise<{ code: number | null; output: string }> {
    const { command } = await engineFromEnvironment();
    const script = join(root, "dist/scripts/smoke.js");
    const state = ["--state-dir", join(folder, "state")];
    const child = spawn(process.execPath, [script, "sandbox", ...state, ...args], {
      env: {
        ...process.env,
        ...emulator.environment,
        ...emulator.nameEnvironment,
        PATH: [dirname(command), emulator.pluginDir, process.env.PATH ?? ""].join(delimiter),
      },
    });
    const parts: string[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part.toString()));
    child.stderr.on("data", (part: Buffer) => parts.push(part.toString()));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, output: parts.join("") };
  }
});
