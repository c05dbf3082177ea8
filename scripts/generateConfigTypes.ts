import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderAcceptedTypes } from "./configTypes";
import { paths } from "./paths";

/**
 * Writes `provider/config/gen/machineConfigPatch.ts`. To be run when a schema changes:
 * `node scripts/run.mjs generateConfigTypes`.
 */
const target = join(paths.root, "provider/config/gen/machineConfigPatch.ts");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, renderAcceptedTypes());
