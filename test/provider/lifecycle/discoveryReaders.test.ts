import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** What reads the machines that discovery names. docs/decisions/machines.md says what each makes of a removed one. */
const READERS = [
  "provider/functions/getMembers.ts",
  "provider/lifecycle/etcd/etcdPeers.ts",
  "provider/lifecycle/etcd/readRegisters.ts",
];

/** What uses the readers in `lifecycle/`. */
const USERS = [
  "cli/status/readRegisters.ts",
  "provider/lifecycle/etcd/bootstrapEtcd.ts",
  "provider/lifecycle/findControlPlanes.ts",
  "provider/lifecycle/upgrade/lowerKubelets.ts",
  "provider/lifecycle/rotation/readyForStage.ts",
  "provider/lifecycle/leaving/takeOverFrom.ts",
];

describe("the machines that discovery names", () => {
  const files = ["cli", "components", "environments", "plugin", "policies", "preview", "provider"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => file.endsWith(".ts") && !file.includes("/gen/"))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const having = (pattern: RegExp) =>
    files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it("are read only where it is said what becomes of a removed one", () => {
    const found = having(/talosResources\.member\b|Members\.cluster\.talos\.dev/);
    expect(found.sort()).toEqual(
      [...READERS, "provider/api/cosiResource.ts", "provider/api/talosResources.ts"].sort(),
    );
    const users = having(/import .*\b(?:readDiscovered|discoveredPeers|findRunningEtcd)\b/);
    expect(users.sort()).toEqual([...USERS].sort());
  });
});
