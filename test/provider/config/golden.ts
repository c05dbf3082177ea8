import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ValidationMode } from "../../../provider/config/rules/installRules";

const repository = resolve(__dirname, "../../..");

/**
 * Recordings of the real talosctl v1.12.1, more than the repository carries, when a folder beside
 * it has them: one folder a case, with the command, its exit code and error, and what it wrote.
 */
export const goldenFolder = readdirSync(resolve(repository, ".."))
  .map((sibling) => resolve(repository, "..", sibling, "golden"))
  .find((folder) => existsSync(join(folder, "base-v1.12", "case.json")));

/** The recordings of talosctl v1.14.1, in a folder within the others. */
export const newerGoldenFolder =
  goldenFolder === undefined ? undefined : join(goldenFolder, "v1.14");

/** Every configuration among the recordings that talosctl v1.12.1 wrote, by path. */
export function goldenConfigurations(root = goldenFolder): (readonly [string, string])[] {
  return folders(root).flatMap((folder) =>
    readdirSync(join(root ?? "", folder))
      .filter((file) => /^(?:controlplane|worker|in|out)\.yaml$/.test(file))
      .map((file) => {
        const path = join(folder, file);
        return [path, readFileSync(join(root ?? "", path), "utf8")] as const;
      }),
  );
}

/** The modes of `talosctl validate`; `cloud-strict` is `cloud` where warnings are refusals. */
export const VALIDATION_MODES = ["cloud", "cloud-strict", "metal", "container"] as const;

/** How the machine runs Talos, in a recorded mode. None of the warnings that were recorded is a refusal. */
export function platformMode(mode: (typeof VALIDATION_MODES)[number]): ValidationMode {
  return mode === "cloud-strict" ? "cloud" : mode;
}

/** A configuration, and what `talosctl validate` said of it, for a cloud and by mode. */
export interface GoldenVerdict {
  readonly name: string;
  readonly text: string;
  readonly accepted: boolean;
  /** How many warnings there were, for a cloud. */
  readonly warnings: number;
  readonly acceptedIn: Readonly<Record<(typeof VALIDATION_MODES)[number], boolean>>;
}

/** The recorded verdicts of `talosctl validate`; those of v1.12.1, or of another root. */
export function goldenVerdicts(root = goldenFolder): GoldenVerdict[] {
  const folder = join(root ?? "", "validate");
  if (root === undefined) {
    return [];
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => {
      const name = file.replace(/\.yaml$/, "");
      const result = JSON.parse(
        readFileSync(join(folder, `${name}.result.json`), "utf8"),
      ) as Record<(typeof VALIDATION_MODES)[number], { exit: number; stderr: string }>;
      return {
        name,
        text: readFileSync(join(folder, file), "utf8"),
        accepted: result.cloud.exit === 0,
        warnings: result.cloud.stderr.match(/^WARNING: /gm)?.length ?? 0,
        acceptedIn: {
          cloud: result.cloud.exit === 0,
          "cloud-strict": result["cloud-strict"].exit === 0,
          metal: result.metal.exit === 0,
          container: result.container.exit === 0,
        },
      };
    });
}

/** A test for each recording; without any, one that is skipped and says so. */
export function testRecordings<Recording extends { readonly name: string }>(
  title: string,
  recordings: readonly Recording[],
  run: (recording: Recording) => void,
): void {
  if (recordings.length === 0) {
    test.skip(`${title}: no recordings beside the repository`, () => undefined);
  }
  for (const recording of recordings) {
    test(`${title}: ${recording.name}`, () => {
      run(recording);
    });
  }
}

/** The values that follow a flag in a command line. */
export function options(command: readonly string[] | string | undefined, flag: string): string[] {
  return typeof command === "object"
    ? command.flatMap((word, index) => (word === flag ? [command[index + 1] ?? ""] : []))
    : [];
}

function folders(root: string | undefined): string[] {
  return root === undefined
    ? []
    : readdirSync(root).filter((name) => existsSync(join(root, name, "case.json")));
}
