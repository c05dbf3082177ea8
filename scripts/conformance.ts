import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAuthenticationOracles } from "./ensureAuthenticationOracles";
import { ensureDefinitionsOracle } from "./ensureDefinitionsOracle";
import { ensureOracles } from "./ensureOracles";
import { ensureSettingsOracle } from "./ensureSettingsOracle";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const recorded = join(paths.root, "test/conformance/recorded");

/** Files that ask Talos' own code, recorded or live. */
const asking = [
  "authentication",
  "contracts",
  "documentsInstead",
  "generated",
  "generationOptions",
  "settings",
  "contractChange",
];

/** Files that are about random inputs too, about what is recorded, about a new release, or about Kubernetes' own code. */
const others = ["machineConfig", "recording", "newRelease", "karpenterObjects"];

/**
 * `npm run conformance`: compares with Talos' own code of every minor, live, on inputs that none had
 * before, and sees whether what is recorded is still what it says. TALOS_SEED repeats a run,
 * TALOS_RUNS lengthens it. With `--record` it makes the recording anew instead.
 */
async function main(): Promise<void> {
  const isRecording = process.argv.includes("--record");
  const programs = {
    TALOS_ORACLES: await ensureOracles(paths.cache, say),
    TALOS_SETTINGS_ORACLE: await ensureSettingsOracle(paths.cache, say),
    TALOS_AUTHENTICATION_ORACLES: await ensureAuthenticationOracles(paths.cache, say),
    TALOS_DEFINITIONS_ORACLE: await ensureDefinitionsOracle(paths.cache, say),
  };
  if (isRecording) {
    record(programs);
    return;
  }
  const talosctl = await runStep("talosctl", say, (log) => ensureTalosctl(paths.cache, log));
  const seed = wholeNumber("TALOS_SEED") ?? String(Date.now() % 0x7fff_ffff);
  const runs = wholeNumber("TALOS_RUNS");
  const again = `TALOS_SEED=${seed}${runs === undefined ? "" : ` TALOS_RUNS=${runs}`} npm run conformance`;
  say(`Comparing with Talos' own code (some minutes); this repeats it: ${again}`);
  const environment = { ...programs, TALOS_SEED: seed, TALOSCTL: talosctl };
  if (!runTests([...asking, ...others], environment)) {
    say(`\nSomething is otherwise than Talos has it, see above; this repeats it: ${again}`);
    process.exitCode = 1;
  }
}

/** Makes all recordings, and puts them in place when all tests passed with them. */
function record(programs: Readonly<Record<string, string>>): void {
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-record-"));
  try {
    say("Recording what Talos' own code says (some minutes) …");
    if (!runTests(asking, { ...programs, TALOS_RECORD: folder })) {
      say("\nNothing was recorded: tests failed, see above.");
      process.exitCode = 1;
      return;
    }
    rmSync(recorded, { recursive: true, force: true });
    cpSync(folder, recorded, { recursive: true });
    for (const name of readdirSync(recorded).sort()) {
      const kib = Math.ceil(statSync(join(recorded, name)).size / 1024);
      say(`${String(kib).padStart(6)} KiB  test/conformance/recorded/${name}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the environment has, which has to be one; a workflow's empty input counts as nothing. */
function wholeNumber(variable: string): string | undefined {
  const { [variable]: given = "" } = process.env;
  if (given === "") {
    Reflect.deleteProperty(process.env, variable);
    return undefined;
  }
  if (!/^\d+$/.test(given)) {
    throw new Error(`${variable} has to be a whole number, not "${given}"`);
  }
  return given;
}

/** Whether all tests of some files passed. */
function runTests(files: readonly string[], environment: NodeJS.ProcessEnv): boolean {
  const vitest = join(paths.root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--project=conformance", "--maxWorkers=2", ...files],
    { cwd: paths.root, stdio: "inherit", env: { ...process.env, ...environment } },
  );
  return status === 0;
}

runMain(main);
