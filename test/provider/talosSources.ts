import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TalosSource } from "../../scripts/talosSource";

const folder = join(__dirname, "testdata/talosSource");

/** What each release's Go code says, recorded by `recordTalosSource`, oldest first. */
export const talosSources: readonly TalosSource[] = readdirSync(folder)
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TalosSource);

/** The folder of a release's module in Go's cache; undefined if Go hasn't downloaded it. */
export function moduleFolder(release: string): string | undefined {
  const cache =
    process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(homedir(), "go"), "pkg/mod");
  const found = join(cache, `github.com/siderolabs/talos@${release}`);
  return existsSync(found) ? found : undefined;
}
