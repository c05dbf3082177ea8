import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { packageSchema } from "./schema/packageSchema";

/**
 * `npm run schema`: writes the schema of the Pulumi package. With `--check`, fails if the written one
 * does not follow from the sources.
 */
runMain(async () => {
  const file = join(paths.root, "plugin/schema.json");
  const schema = packageSchema();
  if (!process.argv.includes("--check")) {
    await writeFile(file, schema);
  } else if ((await readFile(file, "utf8")) !== schema) {
    throw new Error(`${file} does not follow from the sources: run "npm run schema"`);
  }
});
