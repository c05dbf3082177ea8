import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ComponentTable } from "../provider/config/flags/componentTable";
import { type ComponentRow, minorOf, rowOf, tableOf } from "./componentTable";
import { etcdTableOf, readEtcdFlags } from "./etcdFlags";
import { goCommand } from "./goCommand";
import { paths } from "./paths";
import { readComponents } from "./readComponents";
import { runMain } from "./runMain";

const KUBERNETES = join(paths.root, "provider/config/gen/kubernetesComponents.json");
const ETCD = join(paths.root, "provider/config/gen/etcdFlags.json");

/**
 * `node scripts/run.mjs recordComponents v1.37.2 [v1.38.0 …]` takes the flags and feature gates of
 * Kubernetes releases into the table that rules ask; a newer patch release replaces the minor's
 * former one. `recordComponents etcd v3.6.7 v3.7.1` writes the table of etcd's flags anew, from one
 * release for each minor. Both need Go, and fetch the modules.
 */
runMain(async () => {
  const [first, ...others] = process.argv.slice(2);
  if (first === "etcd" && others.length > 0) {
    await recordEtcd(others);
  } else if (
    first !== undefined &&
    [first, ...others].every((each) => /^v1\.\d+\.\d+$/.test(each))
  ) {
    for (const release of [first, ...others]) {
      await take(await readComponents(release, console.log));
    }
  } else {
    throw new Error("usage: recordComponents <v1.37.2>… | etcd <v3.6.7>…");
  }
});

async function take(row: ComponentRow): Promise<void> {
  const former = existsSync(KUBERNETES)
    ? (JSON.parse(await readFile(KUBERNETES, "utf8")) as ComponentTable)
    : undefined;
  const others = Object.keys(former?.releases ?? {})
    .map(Number)
    .filter((minor) => minor !== minorOf(row.release))
    .flatMap((minor) => (former === undefined ? [] : [rowOf(former, minor)]));
  const rows = [...others, row].sort((a, b) => minorOf(a.release) - minorOf(b.release));
  await write(KUBERNETES, tableOf(rows));
}

async function recordEtcd(releases: readonly string[]): Promise<void> {
  const read = [];
  for (const release of releases) {
    const module = `go.etcd.io/etcd/server/v3@${release}`;
    const told = await goCommand(["mod", "download", "-json", module], { cwd: paths.root });
    read.push(readEtcdFlags((JSON.parse(told) as { readonly Dir: string }).Dir, release));
  }
  await write(ETCD, etcdTableOf(read));
}

async function write(file: string, table: object): Promise<void> {
  await writeFile(file, `${linesOf(table, "")}\n`);
}

/** JSON with a line for each entry: what a release changed is a short difference. */
function linesOf(value: unknown, indent: string): string {
  const isGroup = (each: unknown): each is object =>
    typeof each === "object" && each !== null && !Array.isArray(each);
  if (!isGroup(value) || !Object.values(value).some(isGroup)) {
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  const entries = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${linesOf(each, inner)}`,
  );
  return `{\n${entries.join(",\n")}\n${indent}}`;
}
