// The first step of every npm script: makes the checkout ready (dependencies, build), then runs
// dist/scripts/<command>.js. Plain JavaScript without dependencies, since it starts from nothing.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { fileURLToPath } from "node:url";
import { suitableNode } from "./suitableNode.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const lockStamp = join(root, "node_modules/.package-lock.sha256");
const buildStamp = join(root, "dist/.built");
const sourceFolders = [
  "provider",
  "components",
  "environments",
  "preview",
  "policies",
  "cli",
  "plugin",
  "emulator",
  "scripts",
];

const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const [command, ...args] = process.argv.slice(2);
if (!command) {
  fail("usage: node scripts/run.mjs <command> [arguments]");
}

const oldest = /\d+\.\d+/.exec(readJson("package.json").engines.node)[0];
const node = await suitableNode({
  running: { version: process.versions.node, program: process.execPath },
  needed: oldest,
  packages: join(root, "scripts/nodejs"),
  cache: join(root, ".cache"),
  install: (folder, version) => {
    say(
      `node: this is ${process.versions.node}, and ${oldest} or newer is needed: ` +
        `installing ${version} into .cache (once, some 60 MB) …`,
    );
    return step("node", "npm", INSTALL, () => "downloading", folder);
  },
}).catch(fail);
if (node !== process.execPath) {
  // Also for what the engine and npm start.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
}

const lockHash = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (!existsSync(lockStamp) || readFileSync(lockStamp, "utf8") !== lockHash) {
  say("npm: installing the packages of package-lock.json (a minute or so the first time) …");
  await step("npm", "npm", INSTALL, unpackedPackages).catch(fail);
  writeFileSync(lockStamp, lockHash);
}
if (!existsSync(buildStamp) || newestSource() > statSync(buildStamp).mtimeMs) {
  say("build: compiling TypeScript (some seconds) …");
  await step("build", "npm", ["run", "--silent", "build"], () => "compiling TypeScript").catch(
    fail,
  );
}

// What runs keeps the terminal and gets its signals itself; this process only waits and passes on
// the signals that were sent to it alone.
const preload = ["--max-semi-space-size=32", "--require", join(root, "scripts/quickStart.cjs")];
const script = join(root, `dist/scripts/${command}.js`);
const child = spawn(node, [...preload, script, ...args], {
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));

function newestSource() {
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      // Settings are read when a stack runs, so a change of them needs no build.
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".yaml"))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      // The build makes this folder, before its stamp.
      .filter((path) => !path.startsWith(join(root, "emulator/dist"))),
  );
  const fixed = ["index.ts", "package.json", "tsconfig.json", "tsconfig.build.json"];
  const all = [...files, ...fixed.map((name) => join(root, name))];
  return Math.max(...all.map((path) => statSync(path).mtimeMs));
}

/**
 * Runs a program. Every ten seconds says how far it is, and at its end how long it took.
 *
 * @throws Error if the program fails
 */
async function step(name, program, programArgs, state, cwd = root) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const timer = setInterval(() => say(`${name}: ${state()} (${seconds()})`), 10_000);
  const running = spawn(program, programArgs, { cwd, stdio: ["ignore", 2, 2] });
  const status = await new Promise((resolve, reject) => {
    running.once("error", (error) =>
      reject(new Error(`${program} could not be started: ${error.message}`)),
    );
    running.once("exit", resolve);
  }).finally(() => clearInterval(timer));
  if (status !== 0) throw new Error(`"${program} ${programArgs.join(" ")}" failed`);
  say(`${name}: ready after ${seconds()}`);
}

function unpackedPackages() {
  const { packages } = readJson("package-lock.json");
  const { platform, arch } = process;
  const folders = Object.entries(packages)
    .filter(([, { os = [platform], cpu = [arch] }]) => os.includes(platform) && cpu.includes(arch))
    .flatMap(([folder]) => (folder === "" ? [] : [folder]));
  const unpacked = folders.filter((folder) => existsSync(join(root, folder, "package.json")));
  return `unpacked ${unpacked.length} of ${folders.length} packages`;
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), "utf8"));
}

/** Says it beside what the command prints, which may be for a program. */
function say(line) {
  console.error(line);
}

function fail(problem) {
  console.error(`error: ${problem instanceof Error ? problem.message : problem}`);
  process.exit(1);
}
