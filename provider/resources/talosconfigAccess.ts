import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { fileProblem } from "../base/fileProblem";
import type { ClientCredentials } from "../pki/clientCredentials";

/** The parts of a talosconfig that are read here. */
interface Talosconfig {
  readonly context?: string;
  readonly contexts?: Readonly<Record<string, Partial<ClientCredentials>>>;
}

let given: string | undefined;

/**
 * Chooses the talosconfig of `talosconfigCredentials`.
 *
 * @param talosconfig the text or the path of the file. Default: as `talosctl` finds it
 */
export function useTalosconfig(talosconfig: string | undefined): void {
  given = talosconfig;
}

/**
 * The credentials of the current context of a talosconfig: the provider's configuration
 * `talosconfig`, or else the file `$TALOSCONFIG`, or else `~/.talos/config`. Only an import needs
 * them, because it has no inputs.
 *
 * @throws Error if the file can't be read, or its context has no credentials
 */
export function talosconfigCredentials(): ClientCredentials {
  const { TALOSCONFIG = "" } = process.env;
  const source = given ?? (TALOSCONFIG === "" ? join(homedir(), ".talos/config") : TALOSCONFIG);
  const isText = source.includes("\n");
  const where = isText ? "the configuration talosconfig" : `the talosconfig "${source}"`;
  const config = parse(isText ? source : textOf(source)) as Talosconfig | null;
  const context = config?.contexts?.[config.context ?? ""];
  const { ca, crt, key } = context ?? {};
  if (ca === undefined || crt === undefined || key === undefined) {
    throw new Error(
      `${where} has no current context with the fields ca, crt and key: choose one with "talosctl config context"`,
    );
  }
  return { ca, crt, key };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(
      `the talosconfig "${path}" can't be used: ${fileProblem(error)}. An import contacts machines with it: set TALOSCONFIG to another file`,
      { cause: error },
    );
  }
}
