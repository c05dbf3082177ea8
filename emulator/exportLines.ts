import type { DaemonRecord } from "./daemonRecord";

/** What a shell needs to use an emulated cloud. */
type Cloud = Pick<DaemonRecord, "environment" | "nameEnvironment" | "pluginDir">;

/**
 * Lines for a POSIX shell, which `eval` can take. They keep the shell's `PATH` and `NODE_OPTIONS`,
 * and come before and after those.
 */
export function exportLines({ environment, nameEnvironment = {}, pluginDir }: Cloud): string {
  const { NODE_OPTIONS: nodeOptions, ...names } = nameEnvironment;
  const lines = Object.entries({ ...environment, ...names }).map(
    ([name, value]) => `export ${name}=${quoted(value)}`,
  );
  const ofNode =
    nodeOptions === undefined
      ? []
      : [`export NODE_OPTIONS="\${NODE_OPTIONS:+$NODE_OPTIONS }"${quoted(nodeOptions)}`];
  return [...lines, ...ofNode, `export PATH=${quoted(pluginDir)}:"$PATH"`].join("\n");
}

/** A word of a shell, in quotes where it needs them. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
