import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Suites, and what the longest test of each may take on a machine that is busy with other work. */
const suites = {
  unit: { files: "{provider,emulator,scripts,environments,preview,cli}", minutes: 10 },
  components: { files: "components", minutes: 10 },
  engine: { files: "engine", minutes: 20 },
  conformance: { files: "conformance", minutes: 20 },
};

/** Files that take longest, which begin first: one that begins last has the others wait for it. */
const longest = [
  ...["examples", "previewSummary", "commandLine", "localCluster", "controlPlaneSteps"],
  ...["killedCreates", "lostMachines", "smoke", "killedEngine"],
  ...["package", "localCommand", "etcdTurns", "etcdMember", "serviceAccountKey", "seededRsaKey"],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  // Examples import the package by its name.
  resolve: {
    alias: [
      {
        find: /^pulumi-talos-aws$/,
        replacement: new URL("index.ts", import.meta.url).pathname,
      },
    ],
  },
  test: {
    // Files of one process share the modules that they load: Pulumi's SDK alone takes a second.
    isolate: false,
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    // Node warns of each connection to an IP address: "Setting the TLS ServerName to an IP address".
    poolOptions: { forks: { execArgv: ["--disable-warning=DEP0123"] } },
    snapshotFormat: { printBasicPrototype: false },
    projects: Object.entries(suites).map(([name, { files, minutes }]) => ({
      extends: true,
      test: {
        name,
        globals: true,
        include: [`test/${files}/**/*.test.ts`],
        setupFiles: ["test/plainStacks.ts", "test/leavesNothingChanged.ts"],
        testTimeout: minutes * 60_000,
        hookTimeout: minutes * 60_000,
      },
    })),
  },
});
