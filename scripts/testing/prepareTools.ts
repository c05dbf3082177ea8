import { ensureMoto } from "../../emulator/aws/pythonEnvironment";
import { ensurePulumi } from "../ensurePulumi";
import { ensureTalosctl } from "../ensureTalosctl";
import { paths } from "../paths";
import { runStep } from "../runStep";
import { startMotoForks } from "./motoForks";
import type { Suite } from "./suites";

/** What suites run against, each once it is there. */
export interface Tools {
  /** Waits for what a suite needs, and names it in variables for the suite's process. */
  readonly environmentFor: (suite: Suite) => Promise<Readonly<Record<string, string>>>;
  /** Ends what runs of them, when all suites have. */
  readonly close: () => Promise<void>;
}

/** Suites that need Pulumi's engine, and the real talosctl. */
const needs: Readonly<Record<Suite, { readonly engine: boolean; readonly talosctl: boolean }>> = {
  unit: { engine: false, talosctl: false },
  components: { engine: false, talosctl: false },
  engine: { engine: true, talosctl: false },
  conformance: { engine: true, talosctl: true },
  life: { engine: true, talosctl: false },
};

/**
 * Starts to install or build what the suites need, where it is not there yet: moto and the engine side
 * by side, as pip mostly waits for downloads, then talosctl.
 */
export function prepareTools(suites: readonly Suite[], say: (line: string) => void): Tools {
  const isNeeded = (tool: "engine" | "talosctl") => suites.some((suite) => needs[suite][tool]);
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
    ? runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log))
    : undefined;
  const talosctl = isNeeded("talosctl")
    ? withoutFailing(buildTalosctl(engine, say), say)
    : undefined;
  // Each is waited for later, by the suites that need it.
  [forks, engine].forEach((tool) => void tool?.catch(() => undefined));
  return {
    environmentFor: async (suite) => {
      const environment = (await forks)?.environment;
      const command = needs[suite].engine ? (await engine)?.command : undefined;
      const talosctlPath = needs[suite].talosctl ? await talosctl : undefined;
      return {
        ...environment,
        ...(command !== undefined && { PULUMI_ENGINE: command }),
        ...(talosctlPath !== undefined && { TALOSCTL: talosctlPath }),
      };
    },
    close: async () => {
      (await forks)?.close();
    },
  };
}

async function buildTalosctl(
  engine: Promise<unknown> | undefined,
  say: (line: string) => void,
): Promise<string> {
  // Two builds at once would share the processors, and the engine's suite is the longest.
  await engine?.catch(() => undefined);
  return runStep("talosctl", say, (log) => ensureTalosctl(paths.cache, log));
}

/** What can't be had makes tests skipped ones, which are counted. */
async function withoutFailing(
  tool: Promise<string>,
  say: (line: string) => void,
): Promise<string | undefined> {
  try {
    return await tool;
  } catch (error) {
    say(`Tests against the real talosctl are skipped: ${String(error)}`);
    return undefined;
  }
}
