import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { packageSchema } from "./schema/packageSchema";

runMain(() => {
  writeFileSync(join(paths.root, "plugin/schema.json"), packageSchema());
  return Promise.resolve();
});
