import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";

/** Where Pulumi's file backend keeps a stack. Source: pulumi v3.230.0, pkg/backend/diy. */
export interface StackFiles {
  /** The folder `.pulumi` of the backend. */
  readonly folder: string;
  readonly stateFolder: string;
  /** The name of the state's file, as far as `.json`; `.gz` or `.zst` may follow. */
  readonly stateName: string;
  readonly lockFolder: string;
}

/**
 * The files of a stack; undefined for another backend than a folder. The engine isn't asked: it may not
 * be able to read its backend.
 */
export async function filesOfStack({ name, workspace }: Stack): Promise<StackFiles | undefined> {
  const { workDir, envVars, pulumiHome } = workspace;
  const variables = { ...process.env, ...envVars };
  const { name: project, backend } = await workspace.projectSettings();
  const home = pulumiHome ?? variables.PULUMI_HOME ?? join(homedir(), ".pulumi");
  const url = variables.PULUMI_BACKEND_URL ?? backend?.url ?? (await chosenBackend(home));
  const place = url === undefined ? undefined : folderOfUrl(url, workDir);
  if (place === undefined) {
    return undefined;
  }
  const folder = join(place, ".pulumi");
  const stack = name.split("/").at(-1) ?? name;
  return {
    folder,
    stateFolder: join(folder, "stacks", project),
    stateName: `${stack}.json`,
    lockFolder: join(folder, "locks/organization", project, stack),
  };
}

/** The backend that `pulumi login` chose. */
async function chosenBackend(home: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(home, "credentials.json"), "utf8");
    return (JSON.parse(text) as { readonly current?: string }).current;
  } catch {
    return undefined;
  }
}

/**
 * The folder of a backend's URL; undefined for one that isn't a folder. Pure.
 *
 * @param from where a relative one begins
 */
export function folderOfUrl(url: string, from: string): string | undefined {
  const [, path] = /^file:\/\/([^?]*)/.exec(url) ?? [];
  return path === undefined
    ? undefined
    : resolve(from, decodeURIComponent(path).replace(/^~(?=\/|$)/, homedir()));
}

/** The names in a folder; none without one. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** The text of a file; undefined without one. */
export function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

/** The value of a JSON text; undefined if it is none. Pure. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
