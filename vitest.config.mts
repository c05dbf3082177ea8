import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, which begin first: one that begins last has the others wait for it. */
const longest = [
  "examples",
  "commandLine",
  "plainPrograms",
  "previewSummary",
  "localCluster",
  "controlPlaneSteps",
  "scaling",
  "ordinaryCli",
  "stoppedMachines",
  "objects",
  "killedEngine",
  "repairMachines",
  "contractChange",
  "pluginResources",
  "sweep",
  "workerPools",
  "previews",
  "rotation",
  "drains",
  "configurationDocuments",
  "autoScaling",
  "privateCluster",
  "existingCluster",
  "awsPlugin",
  "network",
  "recovery",
  "machineSecrets",
  "killedDestroys",
  "package",
  "localCommand",
  "talosctlSession",
  "generationOptions",
  "upgradeControlPlane",
  "etcdTurns",
  "etcdMember",
  "recordedHealth",
  "upgradeMachine",
  "failingControllers",
  "faultMatrix/applyUpdate",
  "flagRules",
  "rotationGate",
  "takenBack",
  "emulator",
  "bootstrapEtcd",
  "syncManifests",
  "readStatus",
  "motoServer",
  "brokenApiServer",
  "privateKey",
  "restarts",
  "faults",
  "faultMatrix/health",
  "faultMatrix/bootstrap",
  "faultMatrix/kubeconfig",
  "faultMatrix/reset",
  "bootstrap",
  "generateSecretsBundle",
];

const root = new URL(".", import.meta.url).pathname;

/** What is built; and the package's own entry. */
const rooms = new Set([
  "cli",
  "components",
  "emulator",
  "environments",
  "plugin",
  "policies",
  "preview",
  "provider",
  "scripts",
  "index.ts",
]);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/**
 * Has a suite's files import what was built, as users do: translating it again takes each process seconds.
 * The engine's plugins run that in any case. The fast suites do so where `npm test` has built it.
 */
const asBuilt: Plugin = {
  name: "as-built",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    const { id = "" } = resolved ?? {};
    const [file = ""] = id.startsWith(root) ? id.slice(root.length).split("?") : [];
    return rooms.has(file.split("/")[0] ?? "") && file.endsWith(".ts")
      ? { id: `${root}dist/${file.replace(/\.ts$/, ".js")}`, external: true }
      : resolved;
  },
};

const fast = process.env.TALOS_TEST_AS_BUILT === "true" ? [asBuilt] : [];

/** Suites, and what the longest test of each may take on a machine that is busy with other work. */
const suites = {
  unit: {
    files: "{provider,emulator,scripts,environments,preview,cli,plugin}",
    minutes: 10,
    plugins: fast,
  },
  components: { files: "components", minutes: 10, plugins: fast },
  engine: { files: "engine", minutes: 20, plugins: [asBuilt] },
  conformance: { files: "conformance", minutes: 20, plugins: [asBuilt] },
  life: { files: "life", minutes: 60, plugins: [asBuilt] },
  languages: { files: "languages", minutes: 30, plugins: [asBuilt] },
};

export default defineConfig({
  // Examples import the package by its name, and the command line the emulator's.
  resolve: {
    alias: [
      {
        find: /^pulumi-talos-aws$/,
        replacement: new URL("index.ts", import.meta.url).pathname,
      },
      {
        find: /^@pulumi-talos-aws\/emulator$/,
        replacement: new URL("emulator/index.ts", import.meta.url).pathname,
      },
    ],
  },
  test: {
    // Files of one process share the modules that they load: Pulumi's SDK alone takes a second.
    isolate: false,
    pool: "forks",
    // What is built has each module once, whoever asks for it.
    server: { deps: { external: [new RegExp(`^${root}dist/`)] } },
    sequence: { sequencer: LongestFirst },
    execArgv: [
      // Node warns of each connection to an IP address: "Setting the TLS ServerName to an IP address".
      "--disable-warning=DEP0123",
      `--require=${root}test/withoutTraces.cjs`,
    ],
    snapshotFormat: { printBasicPrototype: false },
    projects: Object.entries(suites).map(([name, { files, minutes, plugins }]) => ({
      extends: true,
      plugins,
      test: {
        name,
        globals: true,
        include: [`test/${files}/**/*.test.ts`],
        setupFiles: ["test/leavesNothingChanged.ts"],
        testTimeout: minutes * 60_000,
        hookTimeout: minutes * 60_000,
      },
    })),
  },
});
