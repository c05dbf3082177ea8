import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigFileTable } from "../provider/config/componentFiles/fileTypes";
import { componentTable } from "../provider/config/flags/componentTable";
import { configFileTableOf } from "./configFileTable";
import { paths } from "./paths";
import { readConfigFiles } from "./readConfigFiles";
import { runMain } from "./runMain";

const TABLE = join(paths.root, "provider/config/gen/kubernetesConfigFiles.json");

/**
 * `node scripts/run.mjs recordConfigFiles` writes the table of what components know in their
 * configuration files anew, for the releases of `recordComponents`. It needs Go, and fetches the modules.
 */
runMain(async () => {
  const rows = [];
  for (const release of Object.values(componentTable.releases)) {
    console.log(release);
    rows.push(await readConfigFiles(release));
  }
  await writeFile(TABLE, `${linesOf(configFileTableOf(rows))}\n`);
});

/** JSON with a line for each type, so that what a release changed is a short difference. */
function linesOf(table: ConfigFileTable): string {
  const parts = Object.entries(table).map(([part, entries]) => {
    const lines = Object.entries(entries as Record<string, unknown>).map(
      ([name, each]) => `    ${JSON.stringify(name)}: ${JSON.stringify(each)}`,
    );
    return `  ${JSON.stringify(part)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${parts.join(",\n")}\n}`;
}
