import { ensureMoto } from "../../emulator/aws/pythonEnvironment";
import { ensurePulumi } from "../ensurePulumi";
import { ensureSdkGenerator } from "../ensureSdkGenerator";
import { ensureTalosctl } from "../ensureTalosctl";
import { ensureYamlHost } from "../ensureYamlHost";
import { paths } from "../paths";
import { runStep } from "../runStep";
import { startMotoForks } from "./motoForks";
import { findNodeHost } from "./nodeHost";
import type { Suite } from "./suites";

/** What suites run against, each once it is there. */
export interface Tools {
  /** Waits for what a suite needs, and names it in variables for the suite's process. */
  readonly environmentFor: (suite: Suite) => Promise<Readonly<Record<string, string>>>;
  /** Ends what runs of them, when all suites have. */
  readonly close: () => Promise<void>;
}

/** Pulumi's engine, its host of programs in YAML, its generators of SDKs, and the real talosctl. */
type Tool = "engine" | "yamlHost" | "sdkGenerator" | "talosctl";

const needs: Readonly<Record<Suite, readonly Tool[]>> = {
  unit: [],
  components: [],
  engine: ["engine"],
  conformance: ["engine", "yamlHost", "talosctl"],
  life: ["engine"],
  languages: ["engine", "yamlHost", "sdkGenerator"],
};

/**
 * Starts to install or build what the suites need, where it is not there yet: moto and the engine side
 * by side, as pip mostly waits for downloads, then talosctl.
 */
export function prepareTools(suites: readonly Suite[], say: (line: string) => void): Tools {
  const isNeeded = (tool: Tool) => suites.some((suite) => needs[suite].includes(tool));
  const moto = runStep("moto", say, (log) =>
    ensureMoto({ cacheDir: paths.cache, onLog: log.say, onProgress: log.at }),
  );
  const forks = moto.then(({ python }) =>
    startMotoForks(python).catch((error: unknown) => {
      say(`Each emulated cloud loads moto itself, which takes longer: ${String(error)}`);
      return undefined;
    }),
  );
  const engine = isNeeded("engine")
    ? runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log, { exact: true }))
    : undefined;
  const nodeHost = engine?.then(({ command }) => {
    const folder = findNodeHost(command);
    const whose = folder === undefined ? "these tests' own" : `Pulumi's own, in ${folder}`;
    say(`The host of programs in Node.js is ${whose}.`);
    return folder;
  });
  // Two builds at once would share the processors, and the engine's suite is the longest.
  const yamlHost = isNeeded("yamlHost")
    ? withoutFailing("the host of YAML programs", say, async () => {
        const { command } = await (engine ?? Promise.reject(new Error("there is no engine")));
        return runStep("pulumi-yaml", say, (log) => ensureYamlHost(paths.cache, command, log));
      })
    : undefined;
  // Without it, the suite of languages has nothing to run: that is a failure.
  const sdkGenerator = isNeeded("sdkGenerator")
    ? Promise.resolve(yamlHost).then(() =>
        runStep("sdk-generator", say, (log) => ensureSdkGenerator(paths.cache, log)),
      )
    : undefined;
  const talosctl = isNeeded("talosctl")
    ? withoutFailing("the real talosctl", say, async () => {
        await yamlHost;
        return runStep("talosctl", say, (log) => ensureTalosctl(paths.cache, log));
      })
    : undefined;
  // Each is waited for later, by the suites that need it.
  [forks, engine, nodeHost, sdkGenerator].forEach((tool) => void tool?.catch(() => undefined));
  return {
    environmentFor: async (suite) => {
      const isFor = (tool: Tool) => needs[suite].includes(tool);
      const variables = {
        PULUMI_ENGINE: isFor("engine") ? (await engine)?.command : undefined,
        PULUMI_NODE_HOST: isFor("engine") ? await nodeHost : undefined,
        PULUMI_YAML_HOST: isFor("yamlHost") ? await yamlHost : undefined,
        PULUMI_SDK_GENERATOR: isFor("sdkGenerator") ? await sdkGenerator : undefined,
        TALOSCTL: isFor("talosctl") ? await talosctl : undefined,
      };
      const known = Object.entries(variables).filter(
        (each): each is [string, string] => each[1] !== undefined,
      );
      return { ...(await forks)?.environment, ...Object.fromEntries(known) };
    },
    close: async () => {
      (await forks)?.close();
    },
  };
}

/** What can't be had makes tests skipped ones, which are counted. */
async function withoutFailing(
  what: string,
  say: (line: string) => void,
  make: () => Promise<string>,
): Promise<string | undefined> {
  try {
    return await make();
  } catch (error) {
    say(`Tests with ${what} are skipped: ${String(error)}`);
    return undefined;
  }
}
